"""Writes ``chunkwise/strategies/_abbreviations.py`` from lists of others and our own.

Run it from the root of the repository, with the folder that has the lists::

    python -m tests.make_abbreviations ../shared/data/sentences/abbreviations

What the lists of others have is taken in for the languages below, without words that
are ordinary ones as well. What is missing there is added here, by hand.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parents[1] / "src/chunkwise/strategies/_abbreviations.py"

SOURCES: dict[str, tuple[str, ...]] = {
    "bg": ("sentencex",),
    "cs": (),
    "da": ("sentencex",),
    "de": ("sentencex", "cldr"),
    "el": ("sentencex",),
    "en": ("sentencex", "pysbd"),
    "es": ("cldr", "pysbd"),
    "fi": ("sentencex",),
    "fr": ("sentencex", "cldr"),
    "id": (),
    "it": ("cldr",),
    "kk": ("pysbd",),
    "nl": (),
    "pl": ("sentencex",),
    "pt": ("sentencex", "cldr"),
    "ru": ("sentencex",),
    "sk": ("sentencex",),
    "sv": (),
    "tr": (),
    "uk": ("sentencex",),
}
"""The languages, and from where their lists are."""

OWN = {
    "cs": (
        "aj apod atd bc cca csc č čl doc dr drsc hod ing j judr kap kč mgr mil min mj "
        "mld mudr např nám o obr odst p paeddr phd phdr písm pozn prof r resp rndr roč "
        "s sb sev st stol str sv tab tel tis tj tř tzv ul viz vs vyd zn zvl ř"
    ),
    "da": "skt mill mia cyl",
    "de": "hl hr fr nr bd jh jhd",
    "el": "δρ κ κα κκ π.χ δηλ αρ σελ βλ κ.λπ κ.ά μ.μ π.μ",
    "id": (
        "dr drs dra ir jl no prof st tb tn ny sdr h hj kh kel kec kab prov rp tel tgl "
        "dll dsb dst dkk yth a.n u.p s.d hlm"
    ),
    "it": (
        "arch art artt avv ca cap cfr dott dott.ssa dr ecc ed es fig gen geom ing max "
        "min mons n nr on pag pagg prof rag rev s sen sig sigg sig.na sig.ra ss st tel "
        "vol"
    ),
    "nl": (
        "a.u.b a.s aug bijv blz bv ca cf d.d d.w.z dec dhr dr drs ds e.a e.d enz etc "
        "evt excl fam feb fig geb gem gen hfst i.p.v i.v.m incl ing ir jan jhr jl jr "
        "kol m.a.w m.b.t m.n max mevr mgr min mr mw n.a.v n.chr nl nov nr nrs o.a "
        "o.l.v okt p.p par pct prof red resp sept sr st t.a.v t.g.v t.o.v tel v.chr "
        "vgl vnl vs z.g zgn"
    ),
    "ru": "букв ок род ум фр чел мл доп изд напр соч",
    "sv": (
        "a.a adj art aug avd bl.a bil ca d.v.s d.y dec dir div doc dr ds dvs e.d ed eg "
        "ekon el enl etc ev exkl f.d f.k f.n f.ö feb fig fil forts fr.o.m fred för "
        "förf förk gm h.c hr i.st ing inkl ino jan jfr jur kand kap kl lic m.a.o m.fl "
        "m.m mag max med milj min mom mr n.b nov nr nuv o.d o.dyl o.s.v obs okt osv "
        "p.g.a prof red ref resp s.a.s s.k sek sept sid sign spec st t.ex t.o.m t.v "
        "tab tel tfn tr u.a utg vol ä.k"
    ),
    "tr": (
        "alb alm apt arş as asb av bkz bl bul bşk cad cd çev der doç dr ed fak fr gen "
        "gön gör haz hz ing inş krş ltd m.ö m.s mah md mim müd müh mr no nr op ord org "
        "örn öğr pk prof s sf sn sok st str şti tel tic ünv vb vd vs yay yrd yy"
    ),
    "kk": "жыл т.б т.с.с б.з.б б.з №",
    "uk": "акад вул грн ін млн млрд напр обл див",
}
"""What the lists of others lack, lower case and without the final full stop."""

ORDINARY = {
    "da": (
        "bio da dav de del den der det din do dobb el eng fem for form fra fru før "
        "gross hende her hun i if ind jul kin kal kat lok lab lat lin lø ma mat mi med "
        "nord nat ned no off om omg on op ord over par pas pens pos port rad red regn "
        "rest sj som sort stud sup sø ti til to tv ty under var ved vær øv øvr fa fik "
        "mul sms"
    ),
    "de": (
        "ab alt an art best bin chin con da das der di die do drum ein er es gem im in "
        "inc ist iv ix ii iii vi vii viii x xi xii xiii xiv xix xv xvi xvii xviii xx "
        "mal man mag med min mit mo ob port rat sa so test tag um und von was zu"
    ),
    "en": (
        "art cal con del det dist ens exp fa fig fla fr ga gen hon ia id ida ill in "
        "ind ing is ken la lb man mar mass may me min miss mo no op ord ore ok pa pd "
        "pl que re ref rep res sec sen tex tm ut ver wash yuk cl ext arc ark ala med "
        "ing dak kan"
    ),
    "es": (
        "a afmo al b c ca como con d de el en es gen la las los me mi no pag por si su "
        "sus todo tu una uno vos"
    ),
    "fr": (
        "air an art au av bas co con de dir dix du en env est et ex fr il id inf la le "
        "les lib loc masc max mi min mm ms on par pas pl pour san sec si sing ses son "
        "sup ta tu un"
    ),
    "fi": "ei ja jo me no on se te tai ja",
    "pl": "a do ale bo im i jak je jest ma na nie no o od on po to u ten tak w z za że",
    "pt": (
        "a as ao com da de do dos e ele em es fez foi max mil mal me min no nas o os "
        "par por que se sem sua um uma"
    ),
    "ru": "в и к о с у а",
    "uk": "а в до за і й на не о по та то у що як",
    "sk": "a do na po to tak by je od za v z s k o u i",
}
"""Words of the lists of others that end sentences as ordinary words."""

HEAD = '''"""Abbreviations by language. Written by ``tests/make_abbreviations.py``.

Lower case, without the final full stop. Sources besides our own lists: sentencex (MIT,
Copyright (c) 2025 Santhosh Thottingal); pySBD (MIT, Copyright (c) 2019 Nipun
Sadvilkar), from pragmatic_segmenter (MIT, Copyright (c) 2015 Kevin S. Dias); Unicode
CLDR 47 (Unicode-3.0, Copyright (c) 2004-2025 Unicode, Inc.). Their licences are in
``LICENSES.md`` beside this module.
"""

from __future__ import annotations

ABBREVIATIONS: dict[str, str] = {
'''


_ONE_LINE = 72
"""Code points of a list that fits into a line of its own."""


def words_of(folder: Path) -> dict[str, list[str]]:
    """Return the abbreviations of each language, sorted."""
    sentencex = _read(folder / "sentencex.json")["abbrev"]
    pysbd = _read(folder / "pysbd.json")["lang"]
    cldr = _read(folder / "cldr_suppressions.json")["lang"]
    lists: dict[str, dict[str, list[str]]] = {
        "sentencex": sentencex,
        "pysbd": {name: lists["abbrev"] for name, lists in pysbd.items()},
        "cldr": cldr,
    }
    words: dict[str, list[str]] = {}
    for language, sources in SOURCES.items():
        found = {
            word.strip().rstrip(".").lower()
            for source in sources
            for word in lists[source].get(language, [])
        }
        found -= set(ORDINARY.get(language, "").split())
        found |= set(OWN.get(language, "").split())
        words[language] = sorted(filter(_is_word, found))
    # Single Latin letters are initials in every language, and need no list.
    letters = set("abcdefghijklmnopqrstuvwxyz")
    for language in ("en", "de", "es", "fr", "it", "nl", "pt", "sv", "da", "id", "tr"):
        words[language] = [word for word in words[language] if word not in letters]
    return words


def module_of(words: dict[str, list[str]]) -> str:
    """Return the text of the module."""
    lines = [HEAD.rstrip("\n")]
    for language, listed in sorted(words.items()):
        whole = " ".join(listed)
        if len(whole) <= _ONE_LINE:
            lines.append(f'    "{language}": ("{whole}"),')
            continue
        lines.append(f'    "{language}": (')
        line = ""
        for word in listed:
            if line and len(line) + len(word) + 14 > 88:
                lines.append(f'        "{line} "')
                line = word
            else:
                line = f"{line} {word}" if line else word
        lines += [f'        "{line}"', "    ),"]
    return "\n".join([*lines, "}", ""])


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _is_word(word: str) -> bool:
    return word != "" and not any(char.isspace() or char in "\"'" for char in word)


if __name__ == "__main__":
    TARGET.write_text(module_of(words_of(Path(sys.argv[1]))), encoding="utf-8")
