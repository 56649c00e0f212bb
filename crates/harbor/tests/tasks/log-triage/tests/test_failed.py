import pathlib


def test_only_what_failed_twice_is_listed():
    assert pathlib.Path("/srv/failed.txt").read_text().split() == ["r-18", "r-21"]


def test_the_log_is_as_it_was():
    assert len(pathlib.Path("/srv/access.log").read_text().splitlines()) == 10
