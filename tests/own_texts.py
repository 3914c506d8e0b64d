"""Texts of our own wording, in several scripts, as a model might answer them."""

# ruff: noqa: RUF001 - other scripts have letters and marks that look like Latin ones

from __future__ import annotations

OWN_TEXTS: dict[str, str] = {
    "english prose": (
        "Dr. Osei walked home early. It had rained since noon, and the lane was mud!\n"
        "Was the gate open? She couldn't tell (the fog was thick.) So she knocked.\n"
        "\n"
        "“Who is it?” asked a voice. ‘Only me.’ The latch rose at 6.45 p.m. exactly.\n"
        "\n"
        "   An indented line follows the gap. It ends without a full stop"
    ),
    "english answer with a list": (
        "Three things matter here:\n\n"
        "1. Measure first. Guessing costs a day.\n"
        "2. Change one knob at a time; write down v1.2.3 and why.\n"
        "3. Stop when it is good enough...\n\n"
        "```python\nprint('done. ok')\n\n\nprint(\"more\")\n```\n\n"
        "Need anything else? Ask away! 🎉\n"
    ),
    "windows line ends": (
        "The first line.\r\nThe second one?\r\n\r\nA new paragraph, after a blank "
        "line.\r\n \t\r\nBlanks can hold a tab.\r\rOld line ends too!\r"
    ),
    "german": (
        "Am 3. Mai um 7 Uhr fuhr der Bus z. B. nicht. Warum? Niemand wusste es!\n\n"
        "„Steig ein“, sagte sie. Er zahlte 2,50 € und setzte sich ans Fenster.\n"
        "Draußen lag Schnee.\n\n\n\nSo begann die Reise.   Sie dauerte lang."
    ),
    "french": (
        "Il était tard\u00a0! Pourquoi partir\u00a0? «\u00a0Parce que la mer est "
        "calme\u00a0», dit-elle.\u2028L’ami répondit (à voix basse.) Puis rien.\n\n"
        "Le lendemain, à l'aube, ils virent l'île.\u2029Elle semblait vide."
    ),
    "russian": (
        "Поезд опоздал на час. Мы ждали в буфете, где пахло хлебом и углём.\n"
        "— Когда же он придёт? — спросила тётя Нюра.\n\n"
        "Никто не ответил! Только часы (старые, с боем.) стучали в углу…\n"
    ),
    "greek": (
        "Το πλοίο έφυγε στις οκτώ. Ποιος το είδε; Κανείς δεν μίλησε.\n\n"
        "Στο λιμάνι έμεινε μια βάρκα. Ήταν μπλε!\n"
    ),
    "japanese": (
        "駅前の店は今日も開いている。\u3000「いらっしゃい！」と声がした。\n\n"
        "コーヒーを一杯たのんだ。値段は４５０円だった。安いと思う？\u3000そう思う。\n"
        "雨がやんだら、川まで歩こう。"
    ),
    "chinese": (
        "昨天下了一场大雪。路上几乎没有人！你看见那只猫了吗？\n\n"
        "“它在屋顶上。” 他笑着说。版本 2.0 已经发布. 请查看.\n\n\n没有句号的最后一行"
    ),
    "korean": (
        "오늘은 바람이 많이 분다. 우산은 쓸모가 없다! 어떻게 할까?\n\n"
        "그는 말했다. “조금만 기다리자.” 우리는 처마 밑에 섰다.\n"
    ),
    "arabic": (
        "وصل القطار متأخرا. هل سمعت الصافرة؟ نعم، سمعتها!\n\n"
        'قال الرجل: \u200f"المكان بعيد." ثم جلس.\n'
    ),
    "hindi": (
        "नदी के किनारे एक गाँव था। वहाँ सब लोग मिलकर रहते थे.\n\n"
        "क्या तुमने देखा? हाँ! कल शाम को (बारिश के बाद.) देखा।\n"
    ),
    "thai": "วันนี้อากาศดีมาก เราไปเดินเล่นริมน้ำกัน\n\nเด็ก ๆ วิ่งเล่น. แม่ยิ้ม!\n",
    "emoji and marks": (
        "Great news! 👩‍👩‍👧‍👦 The café (cafe\u0301.) opens today.🎈 Bring 🇩🇪 flags!\x0b"
        "Zalgo: t\u0335e\u0336xt.\x85Next line?\x1cRecord two.\n\n  \u3000 \n\n💬"
    ),
}
"""The texts by name."""
