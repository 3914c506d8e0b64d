"""What hands chunks to other libraries; each module needs one of them."""

__all__: list[str] = []
