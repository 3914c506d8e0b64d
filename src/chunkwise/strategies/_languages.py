"""What the smart rules know about languages."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ._abbreviations import ABBREVIATIONS

_NEVER = {
    "en": (
        "mr mrs ms messrs mme mlle dr drs prof capt cmdr cpl sgt supt msgr mt e.g i.e "
        "cf viz vs"
    ),
    "de": "z.b d.h hr hrn fr frl vgl bzw",
    "es": "sr sra srta dr dra d ej p.ej",
    "fr": "mm mme mlle p.ex c.-à-d cf",
    "nl": "dhr mevr mw dr mr bijv d.w.z o.a",
    "da": "hr dr f.eks bl.a skt",
    "sv": "t.ex bl.a dr prof",
    "pl": "np św m.in tzw tj im ul",
    "ru": "т.е т.к им ул г-н",
    "cs": "např tzv tj mj ul sv",
    "tr": "dr prof doç av sn hz bkz örn",
    "it": "sig sig.ra sig.na dott dr prof on avv ing es",
    "pt": "sr sra dr dra prof ex v",
    "id": "dr drs ir prof tb jl h hj r st",
}
"""Titles and the like, behind which a sentence never ends."""
_TITLES = {"en": "col gen gov hon lt maj pres rep rev sen adm brig det"}
"""Titles that are ordinary words in lower case."""
_NUMBERED = (
    "no nos p pp art ext fig figs eq eqs vol "
    "vols ch chap sec ver nr pg para op n n\u00ba "
    "n\u00b0 \u2116 ca c v"
)
"""Abbreviations only where a number follows."""
_UNITS = (
    "lb lbs oz ft in yd mi min mins hr hrs sec secs "
    "kg km cm mm ml gal qt pt sq g m s h "
    "l t"
)
"""Abbreviations where a number stands before them, which end before a capital."""
_TRAILING = (
    "etc inc ltd jr sr esq co corp bros "
    "b.c a.d b.c.e c.e ph.d ll.b ll.m ll.d m.b.a b.sc "
    "m.sc b.com d.d.s n.chr v.chr"
)
"""Abbreviations that end something: a sentence, too, unless lower case follows."""
_STARTERS = {
    "en": (
        "A About According Accordingly Actually Additionally After Again All Also "
        "Although Always Among An And Another Any Anyway Are As At Because Before "
        "Being Besides Both But By Can Consequently Conversely Could Despite Did Do "
        "Does During Each Even Eventually Every Everybody Everyone Few Finally First "
        "For Four From Further Furthermore Generally Had Has Have Having He Hence Her "
        "Here His How However I If In Indeed Initially Instead Is It Its Just Later "
        "Let Many Maybe Meanwhile Might Millions More Moreover Most Much Must My "
        "Neither Never Nevertheless Next No None Nonetheless Nor Not Nothing Now Of "
        "Often On Once One Only Or Other Others Otherwise Our Over People Perhaps "
        "Please Rather Recently Several Shall She Should Similarly Since So Some "
        "Sometimes Soon Still Subsequently Such Suddenly Take That The Their Then "
        "There Therefore These They This Those Three Through Thus To Today Tomorrow "
        "Tonight Two Under Unfortunately Unlike Until Upon Using Usually Was We Were "
        "What Whatever When Whenever Where Whereas Wherever Whether Which While Who "
        "Whose Why Will With Within Without Would Yes Yesterday Yet You Your"
    ),
    "de": (
        "Aber Als Am An Auch Auf Aus Außerdem Bei Da Dabei Daher Damit Danach Dann Das "
        "Dem Den Denn Der Des Deshalb Die Dies Diese Dieser Dieses Doch Dort Ein Eine "
        "Einem Einen Einer Er Es Für Hier Ich Ihr Im In Jedoch Man Mit Nach Nun Nur Ob "
        "Seit Sie So Sowohl Und Viele Von Während Warum Was Wenn Wer Wie Wir Wo Zu Zum "
        "Zur Zwar"
    ),
    "es": (
        "Al Aunque Como Con Cuando De Del Desde El Ella Ellos En Entre Es Esta Este "
        "Estos Hay La Las Lo Los Más Mientras Ni No Para Pero Por Porque Que Se Según "
        "Ser Si Sin Sobre Su Sus También Tras Un Una Y Ya Él"
    ),
    "fr": (
        "À Ainsi Après Au Aux Avec C Ce Ces Cet Cette Comme D Dans De Depuis Des Donc "
        "Du Elle Elles En Enfin Et Il Ils J Je L La Le Les Leur Lors M Mais Même N "
        "Nous On Or Ou Où Par Pendant Pour Puis Quand Qu Que Sa Sans Se Selon Ses Si "
        "Son Sur Toutefois Tu Un Une Vous Y"
    ),
    "it": (
        "Al Alla Anche Come Con Da Dal De Del Dopo E Gli I Il In L La Le Lo Ma Nel "
        "Nella Non Per Poi Quando Questa Questo Se Si Sono Su Tra Tuttavia Un Una Uno "
        "È"
    ),
    "pt": (
        "A Ao Aos As Com Como Da De Depois Do E Ela Elas Ele Eles Em Entre Esta Este "
        "Eu Foi Há Já Mas Na Nas No Nos Não O Os Ou Para Pela Pelo Por Porém Quando "
        "Que Se Segundo Sem Seu Sua Também Um Uma É"
    ),
    "nl": (
        "Aan Als Bij Daar Dat De Deze Die Dit Door Een Er Haar Het Hier Hij Hoe Ik In "
        "Maar Men Met Na Naar Nu Om Ook Op Over Toch Toen Tot Uit Van Volgens Voor Wat "
        "We Wie Wij Ze Zij Zijn Zo"
    ),
    "da": (
        "Af Alle At Da De Den Der Dermed Desuden Det Dette Din Disse Du En Er Et For "
        "Fra Han Hans Hun Hvad Hvem Hvis Hvor Hvordan I Ifølge Jeg Man Med Men Mens Nu "
        "Når Og Også Om På Selv Selvsagt Som Så Til Under Ved Vi"
    ),
    "sv": (
        "Alla Att Av De Den Denna Dessa Det Detta Där Därför Efter En Enligt Ett För "
        "Från Han Hon Hur Här I Jag Man Med Men Nu När Och Om På Som Så Till Under Vad "
        "Var Vi Vid Än Även"
    ),
    "ru": (
        "А Без В Вот Все Всё Вы Где Для До Его Ее Её Если Еще Ещё За И Из К Как Когда "
        "Кроме Мы На Не Но О Об Он Она Они Оно От По Под После Поэтому При С Так Также "
        "Там То Тогда Только У Что Чтобы Эта Эти Это Этот Я"
    ),
    "pl": (
        "A Ale Być Był Była Było Co Czy Do Gdy I Ich Jak Jako Jednak Jego Jej Jest "
        "Jeśli Już Kiedy Który Lecz Ma Na Nad Nie Niektóre O Od On Ona Oni Oraz Po Pod "
        "Podczas Przed Przez Przy Są Ta Tak Także Tam Te Ten To Tylko W We Wszystko Z "
        "Za Ze"
    ),
    "cs": (
        "A Ale Ani Až Byl Byla Bylo Co Do I Já Jak Jako Je Jeho Jejich Jen Ještě Jsou "
        "K Kde Kdo Když Které Který Mezi Na Ne Nebo O Od On Ona Po Pod Podle Pro Proto "
        "Při S Se Tak Také Tam Tato Ten Tento Teď To Toto Tyto U V Ve Však Z Za Ze"
    ),
    "tr": (
        "Ama Ancak Ayrıca Bir Biz Bu Bunlar Bunun Böylece Çünkü Daha De Fakat Hem Hiç "
        "O Onlar Onun Sen Siz Sonra Şimdi Şu Ve Ya"
    ),
    "fi": (
        "Ei Ehkä Eli Entä Hän He Ja Joka Jos Koska Kun Kuten Lisäksi Me Minä Mitä "
        "Mutta Myös Ne Niin Nyt Ovat On Se Sen Siellä Siis Sitten Tai Te Tämä Tämän "
        "Vaikka Vain"
    ),
    "id": (
        "Ada Akan Akhirnya Atas Bagi Bahasa Dalam Dan Dari Dengan Di Dia Ia Ini Itu "
        "Jika Kami Karena Ketika Kita Mereka Namun Oleh Pada Para Saat Sebagai Sejak "
        "Selain Sementara Setelah Tetapi Untuk Yang"
    ),
}
"""Words with which a sentence begins anew behind an abbreviation."""
_ORDINALS = "cs da de et fi hr hu is lb lv nb nn no sk sl sr tr"
"""Languages that write ordinal numbers with a full stop."""
_FURTHER_MARKS = {"el": ";\u037e", "hy": ":"}
"""Question mark of Greek, full stop of Armenian as it is mostly typed."""
_FRONTING = (
    "about above across after against along among around at before behind below "
    "beneath beside between beyond by despite during for from in inside into near of "
    "off on onto outside over past since through throughout to toward under until up "
    "upon with within without a an the and but nor or afternoon dawn day dusk evening "
    "midnight month morning night noon today tomorrow tonight week weekend year "
    "yesterday again also earlier finally just later meanwhile now recently soon "
    "sometimes then"
)
"""Words of an adverbial before its sentence."""


class Language(NamedTuple):
    """What the rules look up; words in lower case, without the final full stop.

    Attributes:
        abbreviations: What goes on before lower case, numbers, and capitals that are
            no starter.
        never: What never ends a sentence before a word, most titles for example.
        titles: Titles only where they are capitalised.
        numbered: What is an abbreviation only before a number.
        units: What is one only behind a number.
        trailing: What goes on before lower case alone.
        starters: Capitalised words that begin a sentence behind an abbreviation.
        fronting: Words of an adverbial before its sentence: "At 5 a.m. Mr. Smith".
        ordinals: Whether a number with a full stop is an ordinal.
        further_marks: Terminators of this language alone.
        first_person: Words behind three dots that do not begin a sentence.
        asks_inside: Whether sentences go on in lower case behind a question mark.
    """

    abbreviations: frozenset[str]
    never: frozenset[str]
    titles: frozenset[str]
    numbered: frozenset[str]
    units: frozenset[str]
    trailing: frozenset[str]
    starters: frozenset[str]
    fronting: frozenset[str]
    ordinals: bool
    further_marks: str
    first_person: frozenset[str]
    asks_inside: bool


@lru_cache(maxsize=64)
def language(code: str) -> Language:
    """Return what is known about a language.

    Args:
        code: A code like ``"en"``, or one with a region like ``"pt-BR"``. For one
            without a list of its own the English one is returned, with the marks and
            the ordinals of the language.
    """
    name = code.replace("_", "-").partition("-")[0].lower()
    listed = name if name in ABBREVIATIONS else "en"
    return Language(
        abbreviations=frozenset(ABBREVIATIONS[listed].split()),
        never=frozenset(_NEVER.get(listed, "").split()),
        titles=frozenset(_TITLES.get(listed, "").split()),
        numbered=frozenset(_NUMBERED.split()),
        units=frozenset(_UNITS.split()),
        trailing=frozenset(_TRAILING.split()),
        starters=frozenset(_STARTERS.get(listed, "").split()),
        fronting=frozenset(_FRONTING.split()) if listed == "en" else frozenset(),
        ordinals=name in _ORDINALS.split(),
        further_marks=_FURTHER_MARKS.get(name, ""),
        first_person=frozenset(["I"]) if listed == "en" else frozenset(),
        asks_inside=name == "tr",
    )


@lru_cache(maxsize=64)
def language_with(code: str, abbreviations: tuple[str, ...]) -> Language:
    """Return what is known about a language, with abbreviations of the user.

    Args:
        code: As for `language`.
        abbreviations: Words to know besides; one with ``-`` in front is forgotten.
    """
    known = language(code)
    names = [name.rstrip(".").lower() for name in abbreviations]
    forgotten = frozenset(name[1:] for name in names if name[0] == "-")
    added = frozenset(name for name in names if name[0] != "-")
    return known._replace(
        abbreviations=(known.abbreviations | added) - forgotten,
        never=known.never - forgotten,
        titles=known.titles - forgotten,
        numbered=known.numbered - forgotten,
        units=known.units - forgotten,
        trailing=known.trailing - forgotten - added,
    )
