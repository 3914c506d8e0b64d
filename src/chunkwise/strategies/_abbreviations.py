"""Abbreviations by language. Written by ``tests/make_abbreviations.py``.

Lower case, without the final full stop. Sources besides our own lists: sentencex (MIT,
Copyright (c) 2025 Santhosh Thottingal); pySBD (MIT, Copyright (c) 2019 Nipun
Sadvilkar), from pragmatic_segmenter (MIT, Copyright (c) 2015 Kevin S. Dias); Unicode
CLDR 47 (Unicode-3.0, Copyright (c) 2004-2025 Unicode, Inc.). Their licences are in
``LICENSES.md`` beside this module.
"""

from __future__ import annotations

ABBREVIATIONS: dict[str, str] = {
    "bg": (
        "p.s акад ал б.р б.ред бел.а бел.пр бр бул в вж вкл вм вр г ген гр дж дм доц "
        "др ем заб зам инж к.с кв кв.м кг км кор куб куб.м л лв м м.г мин млн млрд "
        "мм н.с напр пл полк проф р рис с св сек см сп срв ст стр т т.г т.е т.н "
        "т.нар табл тел у ул фиг ха хил ч чл щ.д"
    ),
    "cs": (
        "aj apod atd bc cca csc doc dr drsc hod ing j judr kap kč mgr mil min mj mld "
        "mudr např nám o obr odst p paeddr phd phdr pozn prof písm r resp rndr roč s "
        "sb sev st stol str sv tab tel tis tj tzv tř ul viz vs vyd zn zvl č čl ř"
    ),
    "da": (
        "adm adr afd afs al alm ang ank anm ann ansvh apr arr ass att aud aug aut bd "
        "bdt bet bhk biol bk bl.a bot br bto ca cal cirk cit co cpr-nr cvr-nr cyl "
        "d.d d.e d.m d.s d.s.s d.y d.å d.æ dec def dep diam dir disp distr dr ds dvs "
        "e.b e.kr e.l e.o e.v.t eftf eftm egl eks eksam ekskl eksp ekspl emer endv "
        "enk etc eur evt exam f.eks f.kr f.m f.n f.o f.o.m f.s.v f.t f.v.t f.å fakt "
        "feb fec ff fg fhv fig fl flg fm fmd forb foreg foren forf forh fork forr "
        "fors forsk forts fp fr frk fuldm fung fys fær g.d g.m gd gdr gg gh gl gn "
        "gns gr grdl h.a h.c hdl henh henv hf hft hhv hort hosp hpl hr hrs hum i.e "
        "ib ibid ifm ill indb indreg ing inkl insp instr isl istf jan jf jfr jnr jr "
        "jun jur jvf kap kbh kem kgl kl kld km/t knsp komm kons korr kp kr kst kt "
        "ktr kv kvt l.c lb lb.nr lejl lgd lic lign ling.merc litt lrs ltr m.a.o "
        "m.fl.st m.m m/ mag maks mar matr.nr md mdl mdr mdtl medd medflg medl merc "
        "mezz mf mfl mgl mhp mht mia mill mio ml mods modsv modt mr mrk mrs ms mv "
        "mvh n.br n.f nedenn nedenst nederl nkr nl nov nr nto nuv o.a o.fl.st o.g "
        "o.h o.m.a obj obl obs odont oecon ofl okt omr omtr op.cit opg opl opr org "
        "orig osfr osv ovenn ovenst overs ovf oz p.a p.b.v p.c p.m.v p.p p.s p.t "
        "p.v.a p.v.c partc pass pct pd perf pers pg pga pgl ph ph.d pharm phil pinx "
        "pk pkt pl pluskv polit polyt pp pr prc priv prod prof pron præd præf præp "
        "præs præt psych pt pæd q.e.d ref reg rel rep repr rk russ s.br s.d s.e s.f "
        "s.m.b.a s.u s.å s/ sa sb sc scient sek sekr sem sen sep sept sg sign skr "
        "skt slutn sml smp smst soc sp spec spm spr spsk st stk str subj subst suff "
        "suppl sv såk sædv t.h t.o.m t.v tab td tdl tdr techn tekn temp th tidl tilf "
        "tilh till tilsv tjg tlf tlgr tr trp u.p u.st u.å uafh ubf ubøj udb udbet "
        "udd udg uds ugtl ulin ult undt univ v.f vb vbsb vedk vedl vedr vejl vh vol "
        "vs vsa zool årg årh årl ø.f"
    ),
    "de": (
        "a.a.o a.a.s a.d a.m a.rh abs abt abw adj adm adr adv akt allg am amtl "
        "ao.univ.prof app apr ass ass.prof asst aug ausg ausschl b.a b.s bart bd bed "
        "beil ben ber bibl bldg brig bros bse buchst bzgl bzw c.-à-d ca capt chr "
        "cmdr co col comdr corp cpl d.h d.j d.ä dat dergl dez dgl dim dipl.-ing "
        "dipl.-kfm dir dkr dr dtzd e.h e.v e.wz ehem eigtl einh einschl ens entspr "
        "erf erw etc ev evtl exkl f.f fa fam feb ff fn folg fr frl frz g.g.a g.u geb "
        "gebr gedr gek gen geograph ges gesch gest ggf ggfs gov hbf hl hon hon.prof "
        "hosp hpts hptst hr hrn hrsg i.a i.b i.f i.h i.h.v i.j i.r i.v ing inh inkl "
        "insp int j.d jahrh jan jew jh jhd jhrl jr jun k.o k.u.k kap kath kfm kgl kl "
        "konv kop led lfd lt ltd m.e m.w maj max messrs mi mind mio mlle mm mme mod "
        "mr mrd mrs ms msgr msp mtl mwst möbl n.u.z no nos nov nr näml o.a o.b o.g "
        "o.univ.-prof o.ä obj od okt op ord p.adr p.m pfc pfd ph phys pin pp prof "
        "projektass prot proz pvt qu rd reg reg.-bez rel rep reps res rev rt röm "
        "röm.-kath s.a s.p.a schles schr schweiz schwäb sek sen sens sep sept sfc "
        "sgt sog sogen spezif spp sr st std str stud.ass supt surg südd tel temp "
        "trans tägl u.a u.a.w.g u.e u.s u.s.a u.s.w u.u u.v.a u.ä univ.-doz "
        "univ.-prof univ.ass urspr ursprüngl usf usw v.chr v.h v.r.w v.t v.u.z verf "
        "verh verw vgl vs wg z.b z.hd z.t z.z z.zt zt ztr zzgl zzt ä österr"
    ),
    "el": ("αρ βλ γ δηλ δρ κ κ.ά κ.λπ κα κκ κλπ λ λπ μ μ.μ π π.μ π.χ σελ τ υ χ"),
    "en": (
        "abbrev adj adm adv al alta apr ariz assn asst attys aug ave bart bld bldg "
        "blvd brig bros btw c.f ca calif capt cf cit cmdr co col colo comdr conn "
        "corp cpl cres ct d.c d.phil dc dec dept dr dr.phil dr.philos drs e.d e.g eg "
        "esp esq etc exec expy f.f feb fed ff ft fwy fy gov hosp hr hway hwy i.a i.e "
        "ibid ie inc insp jan jr jul jun kans ky ll ll.b ll.d ll.m llb lld llm loc "
        "lt ltd maj md messrs mex mfg mich minn mlle mm mme mont mr mrs ms msgr "
        "mssrs mt mtn nb neb nebr nem nev nos nov no̱ nr n° nº oct okla ont p.g p.s "
        "pde penn penna pfc pg ph ph.d plz pp pps pres prof ps pvt qq qq.v rd reg "
        "reps rev rs rt s.l s.s sask sc scil sens sep sept sfc sgt sr st supt surg "
        "tce tenn u.s univ usafa va viz vs vt w.e.f w.r.t wef wis wisc wrt wy wyo"
    ),
    "es": (
        "a.c a/c aa abr adj admón aero afma afmas afmos ago all almte ambi an anfi "
        "ant ante anti ap apdo archi arci arq art atte auto av avda bco bi bibl bien "
        "bis bol c.f c.g c.p c.s c.v c/c c/u cap cc.aa cdad cf cfr cm co col com "
        "comm contra corp cra crio cta cuadri cuasi cuatri cv cía d.e.p da dc dcha "
        "dcho deci dep depto deptos des desc desv di dic dicc dir dis dn doc dom "
        "dpto dptos dr dra drs dto dtor dª dña e.g ecto ed ee ej em emm endo ene "
        "entlo entre epi equi esq etc ex exc excma excmas excmo excmos exma exmas "
        "exmo exmos ext extra f.c fabric fca fdo feb febr ff.cc fig figs fil fr fra "
        "fund g.p g/p geo gob gr gral grs h.p hemi hetero hiper hipo hnos homo hs id "
        "igl ilma ilmas ilmo ilmos iltre im imp impr impto in inc incl infra ing "
        "inst inter intra iso izdo izq izqdo j.c jj.oo jue jul jun kg kit km korn "
        "lcda lcdo lda ldo let lic licda licdo ltd ltda ltdo lun macro mar may mega "
        "mg micro min mini mié mm mono mons mr mrs ms mss mt mtro multi máx mín n.b "
        "neo nov ntra ntro núm o.m oct omni p.a p.d p.ej p.v.p para pen ph ph.d "
        "pluri poli pos post pp ppal pre prev pro prof prov pseudo ptas pts pza pág "
        "págs párr párrf q.e.g.e q.e.p.d q.e.s.m r.d r.u ram rdo rdos re reg rep "
        "retro rev rol rr.hh rte rvdmo rvdmos rvdo rvdos s.a.r s.e s.l s.r.c s.r.l "
        "s.s.s s/n sa sdad seg semi sept seudo sig sobre sol sr sra sras sres srs "
        "srta srtas ss ss.aa ss.mm sta sto sub super supra sáb t.v.e tamb tel tfno "
        "trab trad trans tras tri u.s u.s.a ud uds ulter ultra un uni univ uu v.b "
        "v.e v.gr var vd vda vds vice vid vie vol vs vto yuxta"
    ),
    "fi": (
        "a alik alil amir apul apul.prof arkkit ass assist b c d dipl dipl.arkkit "
        "dipl.ekon dipl.ins dipl.kielenk dipl.kirjeenv dipl.kosm dipl.urk dos dr e "
        "e.g ent erikoiseläinl erikoishammasl erikoisl erikoist esim ev.luutn evp f "
        "fil ft g h hallinton hallintot hammaslääket huom i i.e ilm j jatk jääk k "
        "kansaned kapt kapt.luutn kenr kenr.luutn kenr.maj kers kirjeenv kom "
        "kom.kapt komm konst korpr l luutn m m.sc maist maj mm mr mrs ms myöh n neuv "
        "nimim nk nyk o p par ph.d po prof puh.joht pääll q r res s san siht suom "
        "sähköp säv t toht toim toim.apul toim.joht toim.siht tuom u ups v vänr vääp "
        "w x y ye.ups ylik ylil ylim ylimatr yliop yliopp ylip yliv z ä å ö"
    ),
    "fr": (
        "a.c.n a.m acoust adr al all anc ann anon append apr auj aux avr b.p boul "
        "broch bull c.-à-d c.n c.n.s c.p.i c.q.f.d c.s ca cam categ cf ch.-l chap "
        "coll collab comm config contr dc desc dest dict dim doc déc e.g e.v encycl "
        "etc exempl fasc fig fém févr gouv graph hab hôp i.e ibid ill illustr imm "
        "imprim inc indus janv jeu jr juil l.d ll.aa ll.aa.ii ll.aa.rr ll.aa.ss "
        "ll.ee ll.mm ll.mm.ii.rr loc.cit ltd lun mar mart mer n.b n.d n.d.a n.d.l.r "
        "n.d.t n.p.a.i n.s n/réf niv nn.ss nov oct op p.c.c p.ex p.j p.o p.s pp prof "
        "quart r.-v r.a.s r.i.p r.p réf s.a s.a.i s.a.r s.a.s s.e s.m s.m.a.r.t "
        "s.m.i.r s.s sam sect sept sq sqq ss suiv suppl symb synth syst t.s.v.p tél "
        "u.s u.s.a var vb ven voit vol vs x.o z.i éd édit équiv éval"
    ),
    "id": (
        "a.n dkk dll dr dra drs dsb dst hj hlm ir jl kab kec kel kh no ny prof prov "
        "rp s.d sdr st tb tel tgl tn u.p yth"
    ),
    "it": (
        "a.c ag all arch art artt avv c.c.p c.p ca cap cfr d.c d.p.r dc div dott "
        "dott.ssa dr ecc ed es fig gen geom ing int liv ltd max min mitt mod mons "
        "n.b n.d.a n.d.e n.d.t nr o.d.g on p.i pag pagg prof rag rev s.a.r s.m.a.r.t "
        "s.p.a sen sez sig sig.na sig.ra sigg ss st tab tav tel u.s u.s.a ver vol"
    ),
    "kk": (
        "afp anp atp aбб bae bg bp cam cctv cd cez cgi cnpc dvd eiti epo er farc fbi "
        "gp gps has hiv hrh http icu idf imd ime ip iso kaz kpa kpo kz mgm mri nasa "
        "nba nbc nds ohl omlt pda pkk ppm psm psp raf rss rtl sas sme sms tnt udf "
        "uefa usb utc x zdf а аақ авг аек ак акад акср акцион амт англ апр аум аф "
        "ацат ақ ақш аөсшк б.б б.з б.з.б ббс биол биохим биікт бмтрк боак бсн бта "
        "бхооо бұұ бө вич всоонл г геогр геол гленкор гсбп гсдп гулаг гэс дек дк днқ "
        "дсұ еаэы еақк ембімұнайгаз ео еуразэқ еуроодақ еэы еқыұ еұу ж жж жко жкт "
        "жоо жсдп жск жтсх жхл жшс жыл жэк жіө жққ зоо и инта исаф камаз кг кгб кеу "
        "кимеп км км² км³ кмс кокп кота кср ксро кту кхдр лат м м² м³ магатэ маж май "
        "максам мб мбф мвт мемдум мемл мин млн млрд мм мр мсоп мт мтк мыс мқо наса "
        "нато нквд нояб нұсжп оар обб обл огпу оеб окт опек оңт пед пиқ пәк р ржмб "
        "ркфср рлдп рнқ рсфср ртж руб рф рфкп с с.ш сбд сбл свс сву сду сент сес см "
        "снпс солт сооно спбму сср ссро ссс ссср сэс т т.б т.с.с тв тереңд тех тж "
        "тжқ тим тмд тр трлн тэц төм уаз уефа ук февр фкққ фсб фққ хвқ хдо хдп хим "
        "хтқо хқко цас цтп ш ш.б шыұ шұар экон экспо эыдұ эқк эөкк юнеско янв іім ғ "
        "қ қазатомпром қазкср қазмұнайгаз қазпошта қазтаг қазұу қк қкп қмдб қр қхр "
        "ққс ұқк ұқшұ әч әқбк әөк өгк өзенмұнайгаз өф өұқ №"
    ),
    "nl": (
        "a.s a.u.b aug bijv blz bv ca cf d.d d.w.z dec dhr dr drs ds e.a e.d enz etc "
        "evt excl fam feb fig geb gem gen hfst i.p.v i.v.m incl ing ir jan jhr jl jr "
        "kol m.a.w m.b.t m.n max mevr mgr min mr mw n.a.v n.chr nl nov nr nrs o.a "
        "o.l.v okt p.p par pct prof red resp sept sr st t.a.v t.g.v t.o.v tel v.chr "
        "vgl vnl vs z.g zgn"
    ),
    "pl": (
        "ags alb ang aor awest bałt bojkow bret brus bsł bułg c.b.d.o c.b.d.u celt "
        "chorw cs czakaw czerw czes dniem dor dubrow duń dłuż ekaw fiń franc gal "
        "germ gniem goc gr grudz głuż hebr het hol ie ikaw irań irl islandz itd itp "
        "jekaw kajkaw kasz kirg kwiec lip listop lit lp maced mar moraw młpol n.e nb "
        "ngr niem nord norw np ok orm oset osk p.n p.n.e p.o pazdz pers pie podhal "
        "pol port połab prekm pskow psł rez rom rozdz rum rus rys sas sch scs serb "
        "sierp stbułg stind stpol stpr str strus stwniem stycz sztokaw szwedz sła "
        "słe słi słow t tj toch tur tzn tłum ukr ul umbr wed wlkpol wrzes wyd węg "
        "włos zakarp łac łot śl śrdniem śrgniem śrirl"
    ),
    "pt": (
        "a.c a.m abr abrev adj adm adv aer ago agric alm anat ap apart apt arit "
        "arqueol arquit art astron autom aux av biogr bras ca cap caps capt cat cel "
        "cf cit cmdr col comdr comp compl con cont contab corp cpl créd cx círc cód "
        "d.c des desc dez dipl dir div doc dr dra dras drs déb e.g ed educ elem "
        "eletr eletrôn end eng enga engas engos esp est ex exma exmo exo fac fasc "
        "fem fev ff fig fil filos fisiol fl fot fr fís gen geom gram gên hist hosp "
        "i.e ilma ilmo ind ingl insp jan jr jul jun jur lat lda lin lit liter long "
        "ltd ltda mai maj mar mat matem mm mov mr mrs ms msgr máq méd mús n.sra n.t "
        "neol nov náut obs odont odontol op ord org organiz out p.m pal pe pfc ph "
        "ph.d pol port pp pq prod prof profa pron próx psicol pvt pág quím r.s.v.p "
        "ref rel relat rementente rep reps res rev rod rt s.a sen sens set sfc sgt "
        "sociol sr sra sras srs sta sto sup supt surg séc símb tec tecnol tel trad "
        "transp univ v.t vol vs w.c álg índ"
    ),
    "ru": (
        "y y.e авт адм.-терр акад букв вв вкз вост.-европ г гг гос гр д деп дисс дол "
        "долл доп ежедн ж жен з зап зап.-европ заруб изд ин иностр инст канд кв кг "
        "куб л л.h л.н м мин мл моск муж н напр нед ок п пгт пер пп пр просп проф р "
        "род руб сек см соч спб стр т тел тов тт тыс у.е ул ум ф фр ч чел"
    ),
    "sk": (
        "a.d a.g.p a.i.i a.k.a a.m a.s a.s.a.p a.v akad al apod arm atd atď bc bros "
        "c.k cca co corp csc d.c doc dr drsc e.t el etc ev gen hl hod i.b ii iii inc "
        "ind ing iv jr judr k.o kol konkr kt ll.m ltd m.n.m m.o max mgr mil min ml "
        "mld mr mudr mvdr n.a n.o n.w.a napr naprk např nešp no nr nám nár o.c.p "
        "o.f.i o.i o.k o.z obr obv odd ods os p p.a p.n.l p.s paeddr pedg ph.d phd "
        "phdr plgr pod pok pol.pr por pozn pp pr prek prof príp písm r.o red resp "
        "rndr roz rozh rsdr rtg s.a s.e.g s.r.o skr sl slov soc sp spol sr st stor "
        "str stred sv sz súkr t.j t.z t.č tel tis tj tr tu tvz tz tzn tzv u.s ul "
        "v.sp var vi viď vs vyd vz xx z.z zb zdravot zs zz zák ú.p.v.o č čs čsl š.p "
        "št"
    ),
    "sv": (
        "a.a adj art aug avd bil bl.a ca d.v.s d.y dec dir div doc dr ds dvs e.d ed "
        "eg ekon el enl etc ev exkl f.d f.k f.n f.ö feb fig fil forts fr.o.m fred "
        "för förf förk gm h.c hr i.st ing inkl ino jan jfr jur kand kap kl lic m.a.o "
        "m.fl m.m mag max med milj min mom mr n.b nov nr nuv o.d o.dyl o.s.v obs okt "
        "osv p.g.a prof red ref resp s.a.s s.k sek sept sid sign spec st t.ex t.o.m "
        "t.v tab tel tfn tr u.a utg vol ä.k"
    ),
    "tr": (
        "alb alm apt arş as asb av bkz bl bul bşk cad cd der doç dr ed fak fr gen "
        "gön gör haz hz ing inş krş ltd m.s m.ö mah md mim mr müd müh no nr op ord "
        "org pk prof sf sn sok st str tel tic vb vd vs yay yrd yy çev örn öğr ünv "
        "şti"
    ),
    "uk": (
        "авт акад арк б буд бульв бібл вид вип вт вул г га год гр град грн д див дм "
        "дол доц е енцикл журн жін зб зв знач кб кв квт кг км кн коп л м мист млн "
        "млрд мм н напр нар наук нац обл од оз п перев пл под пор поч пп пров проф р "
        "ред рр с св см спец ст стор т тис трлн у.о укр х хв худ ц церк ч чв чл чол "
        "іл ім ін"
    ),
}
