"""The viewer's page in a browser, which only ``nox -s browser`` installs."""
