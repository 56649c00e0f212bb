//! What a program says, in English and in four other languages. `@` stands for a term.

/// A language of the catalogues.
pub(super) struct CatalogueLanguage {
    pub(super) code: &'static str,
    pub(super) plural_forms: &'static str,
    /// The plural rule that is in the catalogue by mistake.
    pub(super) wrong_plural_forms: &'static str,
    /// What `{name}` and `{user}` are taken for by mistake.
    pub(super) wrong_names: [&'static str; 2],
    /// The terms as the glossary has them, and as they must not be.
    pub(super) terms: [(&'static str, &'static str); 10],
    /// The phrases in the order of [`PHRASES`]; several forms where there is a plural.
    pub(super) phrases: [&'static [&'static str]; 8],
    /// `Open` in a menu and as a status.
    pub(super) open: [&'static str; 2],
    /// A text with a word that is forbidden for a term which its source does not have.
    pub(super) directory: &'static str,
    /// The name of the product, translated by mistake.
    pub(super) product: &'static str,
    pub(super) old: &'static str,
}

/// A phrase in English: its text, its plural, its flag.
pub(super) struct CataloguePhrase {
    pub(super) text: &'static str,
    pub(super) plural: Option<&'static str>,
    pub(super) flag: Option<&'static str>,
}

const fn phrase(text: &'static str, flag: Option<&'static str>) -> CataloguePhrase {
    CataloguePhrase { text, plural: None, flag }
}

pub(super) const PRODUCT: &str = "Varnholt Desk";
pub(super) const DIRECTORY: &str = "Directory of staff";
pub(super) const TERMS: [&str; 10] =
    ["queue", "folder", "printer", "invoice", "mailbox", "account", "report", "snapshot", "device", "backup"];
pub(super) const PHRASES: [CataloguePhrase; 8] = [
    phrase("Cannot open @ %s", Some("c-format")),
    phrase("@: %d of %d done", Some("c-format")),
    phrase("Delete @ {name}?", Some("python-brace-format")),
    phrase("@ is %d%% full", Some("c-format")),
    CataloguePhrase { text: "%d file in @", plural: Some("%d files in @"), flag: Some("c-format") },
    phrase("Settings of @\n", None),
    phrase("Moved by {user} to @", Some("python-brace-format")),
    phrase("New @", None),
];
pub(super) const LANGUAGES: [CatalogueLanguage; 4] = [
    CatalogueLanguage {
        code: "de",
        plural_forms: "nplurals=2; plural=(n != 1);",
        wrong_plural_forms: "nplurals=1; plural=0;",
        wrong_names: ["{bezeichnung}", "{benutzer}"],
        terms: [
            ("Warteschlange", "Schlange"),
            ("Ordner", "Verzeichnis"),
            ("Drucker", "Printer"),
            ("Rechnung", "Faktura"),
            ("Postfach", "Mailbox"),
            ("Konto", "Account"),
            ("Bericht", "Report"),
            ("Schnappschuss", "Snapshot"),
            ("Gerät", "Apparat"),
            ("Sicherung", "Backup"),
        ],
        phrases: [
            &["Öffnen nicht möglich: @ %s"],
            &["@: %d von %d fertig"],
            &["@ {name} löschen?"],
            &["@ ist zu %d%% voll"],
            &["%d Datei, @", "%d Dateien, @"],
            &["Einstellungen: @\n"],
            &["Von {user} verschoben: @"],
            &["@ neu anlegen"],
        ],
        open: ["Öffnen", "Geöffnet"],
        directory: "Verzeichnis des Personals",
        product: "Varnholt Schreibtisch",
        old: "Alte Meldung",
    },
    CatalogueLanguage {
        code: "fr",
        plural_forms: "nplurals=2; plural=(n > 1);",
        wrong_plural_forms: "nplurals=2; plural=(n != 1);",
        wrong_names: ["{nom}", "{utilisateur}"],
        terms: [
            ("file", "queue"),
            ("dossier", "répertoire"),
            ("imprimante", "imprimeur"),
            ("facture", "note"),
            ("boîte", "messagerie"),
            ("compte", "profil"),
            ("rapport", "bilan"),
            ("instantané", "cliché"),
            ("appareil", "dispositif"),
            ("sauvegarde", "copie"),
        ],
        phrases: [
            &["Ouverture impossible : @ %s"],
            &["@ : %d sur %d terminés"],
            &["Supprimer @ {name} ?"],
            &["@ : rempli à %d%%"],
            &["%d fichier, @", "%d fichiers, @"],
            &["Paramètres : @\n"],
            &["Déplacé par {user} : @"],
            &["Créer : @"],
        ],
        open: ["Ouvrir", "Ouvert"],
        directory: "répertoire du personnel",
        product: "Bureau Varnholt",
        old: "Ancien message",
    },
    CatalogueLanguage {
        code: "pl",
        plural_forms: "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);",
        wrong_plural_forms: "nplurals=2; plural=(n != 1);",
        wrong_names: ["{nazwa}", "{uzytkownik}"],
        terms: [
            ("kolejka", "ogonek"),
            ("folder", "katalog"),
            ("drukarka", "printer"),
            ("faktura", "rachunek"),
            ("skrzynka", "poczta"),
            ("konto", "profil"),
            ("raport", "sprawozdanie"),
            ("migawka", "zrzut"),
            ("urządzenie", "sprzęt"),
            ("kopia", "backup"),
        ],
        phrases: [
            &["Nie można otworzyć: @ %s"],
            &["@: gotowe %d z %d"],
            &["Usunąć: @ {name}?"],
            &["@: zapełnienie %d%%"],
            &["%d plik, @", "%d pliki, @", "%d plików, @"],
            &["Ustawienia: @\n"],
            &["Przeniesione przez {user}: @"],
            &["Utwórz: @"],
        ],
        open: ["Otwórz", "Otwarte"],
        directory: "katalog pracowników",
        product: "Biurko Varnholt",
        old: "Stary komunikat",
    },
    CatalogueLanguage {
        code: "ja",
        plural_forms: "nplurals=1; plural=0;",
        wrong_plural_forms: "nplurals=2; plural=(n != 1);",
        wrong_names: ["{名前}", "{利用者}"],
        terms: [
            ("キュー", "待ち行列"),
            ("フォルダー", "ディレクトリ"),
            ("プリンター", "印刷機"),
            ("請求書", "インボイス"),
            ("メールボックス", "郵便受け"),
            ("アカウント", "口座"),
            ("レポート", "報告"),
            ("スナップショット", "瞬間像"),
            ("デバイス", "機器"),
            ("バックアップ", "予備"),
        ],
        phrases: [
            &["開けません: @ %s"],
            &["@: %d / %d 完了"],
            &["@ {name} を削除しますか?"],
            &["@は %d%% 使用中"],
            &["%d 件, @"],
            &["設定: @\n"],
            &["{user} が移動: @"],
            &["新規: @"],
        ],
        open: ["開く", "開いています"],
        directory: "職員ディレクトリ",
        product: "ヴァルンホルト机",
        old: "古い通知",
    },
];
