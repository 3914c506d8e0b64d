"""Code points that separate: white space and line ends, as ``str`` defines them."""

from __future__ import annotations

# Written out, because asking `str.isspace` about all of Unicode takes as long as the
# rest of the import.
WHITE_SPACE = frozenset(
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005"
    "\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""Every code point for which ``str.isspace`` is true."""

LINE_ENDS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")
"""Every code point at which ``str.splitlines`` cuts; ``\\r\\n`` is one line end."""
