"""CUT is one value that stays itself."""

from __future__ import annotations

import copy
import pickle

from chunkwise import CUT, Cut


def test_cut_is_the_only_one_of_its_type() -> None:
    assert list(Cut) == [CUT]


def test_cut_stays_itself_when_copied_and_pickled() -> None:
    assert copy.deepcopy(CUT) is CUT
    assert pickle.loads(pickle.dumps(CUT)) is CUT  # noqa: S301 - our own pickle


def test_cut_shows_as_the_name_that_users_import() -> None:
    assert repr(CUT) == "CUT"
