//! What no name of the world may be or contain: real countries, large cities and firms, and rude words.

use std::collections::HashSet;

/// The block list, in a form that is quick to ask.
pub(crate) struct BlockList {
    whole: HashSet<&'static str>,
    // Parts by their first two letters.
    parts: Vec<Vec<&'static str>>,
}

impl BlockList {
    pub(crate) fn new() -> Self {
        let mut parts = vec![Vec::new(); 26 * 26];
        for part in PARTS.split_whitespace() {
            parts[bigram(part.as_bytes()).expect("parts are lower-case letters")].push(part);
        }
        Self { whole: WHOLE.split_whitespace().collect(), parts }
    }

    /// Whether a word in small letters may not stand in the world.
    pub(crate) fn holds(&self, word: &str) -> bool {
        self.whole.contains(word) || (0..word.len()).any(|at| self.begins_a_part(&word.as_bytes()[at..]))
    }

    fn begins_a_part(&self, rest: &[u8]) -> bool {
        bigram(rest).is_some_and(|bigram| self.parts[bigram].iter().any(|part| rest.starts_with(part.as_bytes())))
    }
}

fn bigram(letters: &[u8]) -> Option<usize> {
    let place = |letter: u8| letter.is_ascii_lowercase().then(|| usize::from(letter - b'a'));
    Some(place(*letters.first()?)? * 26 + place(*letters.get(1)?)?)
}

/// Words that may not be a name, though a name may contain them.
const WHOLE: &str = "\
afghanistan albania algeria andorra angola argentina armenia australia austria azerbaijan bahamas bahrain bangladesh \
barbados belarus belgium belize benin bhutan bolivia bosnia botswana brazil brunei bulgaria burundi cambodia cameroon \
canada chad chile china colombia comoros congo croatia cuba cyprus denmark djibouti dominica ecuador egypt england \
eritrea estonia eswatini ethiopia fiji finland france gabon gambia georgia germany ghana greece grenada guatemala \
guinea guyana haiti honduras hungary iceland india indonesia iran iraq ireland israel italy jamaica japan jordan \
kazakhstan kenya kiribati korea kosovo kuwait kyrgyzstan laos latvia lebanon lesotho liberia libya liechtenstein \
lithuania luxembourg macedonia madagascar malawi malaysia maldives mali malta mauritania mauritius mexico micronesia \
moldova monaco mongolia montenegro morocco mozambique myanmar namibia nauru nepal netherlands nicaragua niger nigeria \
norway oman pakistan palau palestine panama paraguay peru philippines poland portugal qatar romania russia rwanda \
samoa scotland senegal serbia seychelles singapore slovakia slovenia somalia spain sudan suriname sweden switzerland \
syria taiwan tajikistan tanzania thailand togo tonga tunisia turkey turkmenistan tuvalu uganda ukraine uruguay \
uzbekistan vanuatu vatican venezuela vietnam wales yemen zambia zimbabwe tibet bavaria saxony moravia bohemia sardinia \
sicilia nubia latina siena torino milano verona modena ravenna novara savona roma lima quito osaka kyoto tokyo nagoya \
okinawa hiroshima sapporo niigata hamburg berlin bremen moscow minsk omsk tomsk kiev lagos accra nairobi kampala lusaka \
harare oslo bergen malmo turku espoo helsinki lahti basra mosul riyadh doha tehran isfahan shiraz lahore hamas taliban \
tatar tatars kurd serb croat roma sami maori zulu tutsi hutu nazi hitler lenin stalin putin trump biden obama gandhi mandela tito franco mussolini merkel macron \
apple google alphabet amazon microsoft meta facebook samsung sony toyota honda nissan mazda suzuki subaru mitsubishi \
hitachi toshiba panasonic canon nikon sharp nintendo sega bosch siemens bayer basf volkswagen audi bmw porsche daimler \
mercedes opel adidas puma nike nestle novartis roche ubs danone renault peugeot citroen michelin airbus boeing total \
shell exxon chevron texaco mobil tesla ford chrysler intel cisco oracle nvidia qualcomm dell ikea volvo saab ericsson \
nokia kone neste orion stora lego maersk novo carlsberg heineken philips unilever fiat ferrari pirelli eni enel \
generali benetton barilla prada gucci santander repsol telefonica iberia inditex zara petrobras vale embraer cemex \
bimbo femsa tata reliance infosys wipro huawei lenovo tencent alibaba baidu gazprom rosneft lukoil sberbank yandex \
aramco sabic etisalat emaar safaricom dangote sasol naspers visa mastercard paypal disney netflix coca pepsi starbucks \
walmart target costco kroger merck pfizer moderna abbott medtronic honeywell caterpillar deere monsanto cargill \
deloitte kpmg ernst pricewaterhouse accenture mckinsey goldman morgan lehman barclays lloyds citi chase allianz axa \
zurich aviva prudential siemensa tatra skoda lada orlen gorenje rimac";

/// Parts that no name may contain.
const PARTS: &str = "\
fuck shit cunt cock dick piss puss arse anus penis vagin tits titt boob bitch slut whor wank nigg negro fagg fago \
dyke rape rapi puta puto mierd merda cazz kaka kurv pizd suka blyad hui kike spic gook chink paki retard nazi nutt \
jerk kak kuso manko chinko porn sex xxx cum jizz turd crap poop pedo molest semen smut perv homo lesb gay satan \
allah jesus buddha moham hitler penes coon tranny slag cocc culo fica figa scop bander merd bollo verga chinga";
