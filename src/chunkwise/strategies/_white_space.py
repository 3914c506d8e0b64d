"""Code points that separate: white space and line ends, as ``str`` defines them."""

from __future__ import annotations

import sys

WHITE_SPACE = frozenset(
    chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()
)
"""Every code point for which ``str.isspace`` is true."""

LINE_ENDS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")
"""Every code point at which ``str.splitlines`` cuts; ``\\r\\n`` is one line end."""
