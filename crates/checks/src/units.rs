//! Units of measurement: what they are called, and their exact size.
//!
//! Symbols are told apart by case (`MW` is no `mW`), names are not. What is not listed is no unit.

/// A unit of measurement.
#[derive(Debug, PartialEq)]
pub(crate) struct KnownUnit {
    /// What it measures. Only units of the same dimension can be converted.
    pub(crate) dimension: &'static str,
    /// Its symbols, the usual one first.
    pub(crate) symbols: &'static [&'static str],
    /// Its names, in small letters.
    pub(crate) names: &'static [&'static str],
    /// Its size in the first unit of its dimension, as a fraction of whole numbers, so that it is exact.
    size: (f64, f64),
}

impl KnownUnit {
    /// The unit of that symbol or name.
    pub(crate) fn find(text: &str) -> Option<&'static Self> {
        let text = text.trim();
        if let Some(unit) = UNITS.iter().find(|unit| unit.symbols.contains(&text)) {
            return Some(unit);
        }
        let name = text.to_lowercase().replace('-', " ").split_whitespace().collect::<Vec<_>>().join(" ");
        UNITS.iter().find(|unit| unit.names.contains(&name.as_str()))
    }

    /// The other units that measure the same.
    pub(crate) fn others(&self) -> impl Iterator<Item = &'static Self> + '_ {
        UNITS.iter().filter(|other| other.dimension == self.dimension && other.symbols != self.symbols)
    }

    /// So much of this unit in another one of the same dimension.
    pub(crate) fn convert(&self, number: f64, into: &Self) -> f64 {
        number * self.size.0 / self.size.1 * into.size.1 / into.size.0
    }

    /// The usual symbol.
    pub(crate) fn symbol(&self) -> &'static str {
        self.symbols[0]
    }
}

/// All symbols and names there are, for hints.
pub(crate) fn all_unit_names() -> impl Iterator<Item = &'static str> + Clone {
    UNITS.iter().flat_map(|unit| unit.symbols.iter().chain(unit.names).copied())
}

type UnitWords = &'static [&'static str];

const fn unit(dimension: &'static str, symbols: UnitWords, names: UnitWords, size: f64) -> KnownUnit {
    KnownUnit { dimension, symbols, names, size: (size, 1.0) }
}

const fn part(dimension: &'static str, symbols: UnitWords, names: UnitWords, size: (f64, f64)) -> KnownUnit {
    KnownUnit { dimension, symbols, names, size }
}

#[rustfmt::skip]
const UNITS: &[KnownUnit] = &[
    unit("length", &["m"], &["metre", "metres", "meter", "meters"], 1.0),
    unit("length", &["km", "Km", "KM"], &["kilometre", "kilometres", "kilometer", "kilometers"], 1e3),
    part("length", &["dm"], &["decimetre", "decimetres", "decimeter", "decimeters"], (1.0, 10.0)),
    part("length", &["cm"], &["centimetre", "centimetres", "centimeter", "centimeters"], (1.0, 100.0)),
    part("length", &["mm"], &["millimetre", "millimetres", "millimeter", "millimeters"], (1.0, 1e3)),
    part("length", &["µm", "μm", "um"], &["micrometre", "micrometres", "micrometer", "micrometers"], (1.0, 1e6)),
    part("length", &["nm"], &["nanometre", "nanometres", "nanometer", "nanometers"], (1.0, 1e9)),
    part("length", &["mi"], &["mile", "miles"], (1_609_344.0, 1e3)),
    part("length", &["ft"], &["foot", "feet"], (3048.0, 1e4)),
    part("length", &["in"], &["inch", "inches"], (254.0, 1e4)),
    part("length", &["yd"], &["yard", "yards"], (9144.0, 1e4)),
    unit("length", &["nmi", "NM"], &["nautical mile", "nautical miles"], 1852.0),

    unit("mass", &["kg", "Kg", "KG"], &["kilogram", "kilograms", "kilogramme", "kilogrammes"], 1.0),
    part("mass", &["g"], &["gram", "grams", "gramme", "grammes"], (1.0, 1e3)),
    part("mass", &["mg"], &["milligram", "milligrams"], (1.0, 1e6)),
    part("mass", &["µg", "μg", "ug"], &["microgram", "micrograms"], (1.0, 1e9)),
    unit("mass", &["t", "Mg"], &["tonne", "tonnes", "metric ton", "metric tons"], 1e3),
    unit("mass", &["kt"], &["kilotonne", "kilotonnes", "kiloton", "kilotons"], 1e6),
    unit("mass", &["Mt"], &["megatonne", "megatonnes", "megaton", "megatons"], 1e9),
    unit("mass", &["Gt"], &["gigatonne", "gigatonnes", "gigaton", "gigatons"], 1e12),
    part("mass", &["lb", "lbs"], &["pound", "pounds"], (45_359_237.0, 1e8)),
    part("mass", &["oz"], &["ounce", "ounces"], (45_359_237.0, 16e8)),

    unit("area", &["m²", "m2", "m^2", "sq m", "sqm"], &["square metre", "square metres", "square meter", "square meters"], 1.0),
    unit("area", &["km²", "km2", "km^2", "sq km"], &["square kilometre", "square kilometres", "square kilometer", "square kilometers"], 1e6),
    unit("area", &["ha"], &["hectare", "hectares"], 1e4),
    part("area", &["cm²", "cm2", "cm^2"], &["square centimetre", "square centimetres", "square centimeter", "square centimeters"], (1.0, 1e4)),
    part("area", &["mm²", "mm2", "mm^2"], &["square millimetre", "square millimetres", "square millimeter", "square millimeters"], (1.0, 1e6)),
    part("area", &["sq mi", "mi²", "mi2"], &["square mile", "square miles"], (2_589_988_110_336.0, 1e6)),
    part("area", &["sq ft", "ft²", "ft2"], &["square foot", "square feet"], (9_290_304.0, 1e8)),
    part("area", &["ac"], &["acre", "acres"], (40_468_564_224.0, 1e7)),

    unit("volume", &["m³", "m3", "m^3"], &["cubic metre", "cubic metres", "cubic meter", "cubic meters"], 1.0),
    unit("volume", &["km³", "km3", "km^3"], &["cubic kilometre", "cubic kilometres", "cubic kilometer", "cubic kilometers"], 1e9),
    part("volume", &["L", "l"], &["litre", "litres", "liter", "liters"], (1.0, 1e3)),
    part("volume", &["hL", "hl"], &["hectolitre", "hectolitres", "hectoliter", "hectoliters"], (1.0, 10.0)),
    part("volume", &["cL", "cl"], &["centilitre", "centilitres", "centiliter", "centiliters"], (1.0, 1e5)),
    part("volume", &["mL", "ml"], &["millilitre", "millilitres", "milliliter", "milliliters"], (1.0, 1e6)),
    part("volume", &["cm³", "cm3", "cm^3", "cc"], &["cubic centimetre", "cubic centimetres", "cubic centimeter", "cubic centimeters"], (1.0, 1e6)),
    part("volume", &["gal"], &["us gallon", "us gallons"], (3_785_411_784.0, 1e12)),
    part("volume", &["bbl"], &["barrel", "barrels", "oil barrel", "oil barrels"], (158_987_294_928.0, 1e12)),

    unit("energy", &["J"], &["joule", "joules"], 1.0),
    unit("energy", &["kJ"], &["kilojoule", "kilojoules"], 1e3),
    unit("energy", &["MJ"], &["megajoule", "megajoules"], 1e6),
    unit("energy", &["GJ"], &["gigajoule", "gigajoules"], 1e9),
    unit("energy", &["TJ"], &["terajoule", "terajoules"], 1e12),
    unit("energy", &["PJ"], &["petajoule", "petajoules"], 1e15),
    unit("energy", &["Wh"], &["watt hour", "watt hours"], 3600.0),
    unit("energy", &["kWh", "KWh", "kwh", "KWH"], &["kilowatt hour", "kilowatt hours"], 3.6e6),
    unit("energy", &["MWh"], &["megawatt hour", "megawatt hours"], 3.6e9),
    unit("energy", &["GWh"], &["gigawatt hour", "gigawatt hours"], 3.6e12),
    unit("energy", &["TWh"], &["terawatt hour", "terawatt hours"], 3.6e15),
    part("energy", &["cal"], &["calorie", "calories"], (4184.0, 1e3)),
    unit("energy", &["kcal"], &["kilocalorie", "kilocalories"], 4184.0),
    unit("energy", &["toe"], &["tonne of oil equivalent", "tonnes of oil equivalent"], 41_868e6),

    unit("power", &["W"], &["watt", "watts"], 1.0),
    part("power", &["mW"], &["milliwatt", "milliwatts"], (1.0, 1e3)),
    unit("power", &["kW", "KW"], &["kilowatt", "kilowatts"], 1e3),
    unit("power", &["MW"], &["megawatt", "megawatts"], 1e6),
    unit("power", &["GW"], &["gigawatt", "gigawatts"], 1e9),
    unit("power", &["TW"], &["terawatt", "terawatts"], 1e12),

    unit("time", &["s", "sec", "secs"], &["second", "seconds"], 1.0),
    part("time", &["ms"], &["millisecond", "milliseconds"], (1.0, 1e3)),
    part("time", &["µs", "μs", "us"], &["microsecond", "microseconds"], (1.0, 1e6)),
    unit("time", &["min", "mins"], &["minute", "minutes"], 60.0),
    unit("time", &["h", "hr", "hrs"], &["hour", "hours"], 3600.0),
    unit("time", &["d"], &["day", "days"], 86_400.0),
    unit("time", &["wk"], &["week", "weeks"], 604_800.0),

    // A month is no fixed number of days.
    unit("calendar time", &["mo"], &["month", "months"], 1.0),
    unit("calendar time", &["q"], &["quarter", "quarters"], 3.0),
    unit("calendar time", &["y", "yr", "yrs"], &["year", "years"], 12.0),
    unit("calendar time", &["decade"], &["decades"], 120.0),

    unit("speed", &["m/s"], &["metres per second", "meters per second"], 1.0),
    part("speed", &["km/h", "kph", "kmh"], &["kilometres per hour", "kilometers per hour"], (1e3, 3600.0)),
    part("speed", &["mph"], &["miles per hour"], (1_609_344.0, 3.6e6)),
    part("speed", &["kn"], &["knot", "knots"], (1852.0, 3600.0)),

    unit("temperature difference", &["K", "°C", "℃"], &["kelvin", "kelvins", "degree celsius", "degrees celsius"], 1.0),
    part("temperature difference", &["°F", "℉"], &["degree fahrenheit", "degrees fahrenheit"], (5.0, 9.0)),

    unit("share", &["%"], &["percent", "per cent", "pct"], 1.0),
    part("share", &["‰"], &["per mille", "per mil", "permille"], (1.0, 10.0)),
    part("share", &["ppm"], &["parts per million"], (1.0, 1e4)),

    unit("points", &["pp", "p.p.", "p.p", "ppt", "ppts"], &["percentage point", "percentage points", "percent point", "percent points", "pct points", "point", "points"], 1.0),
    part("points", &["bp", "bps"], &["basis point", "basis points"], (1.0, 100.0)),

    unit("count", &["ones"], &["one"], 1.0),
    unit("count", &["k"], &["thousand", "thousands"], 1e3),
    unit("count", &["M", "mn", "mln"], &["million", "millions"], 1e6),
    unit("count", &["G", "bn"], &["billion", "billions"], 1e9),
    unit("count", &["T", "tn"], &["trillion", "trillions"], 1e12),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_symbol_and_no_name_means_two_units() {
        let mut seen = BTreeSet::new();
        for unit in UNITS {
            assert!(!unit.symbols.is_empty() && unit.size.0 > 0.0 && unit.size.1 > 0.0, "{unit:?}");
            for word in unit.symbols.iter().chain(unit.names) {
                assert!(seen.insert(*word), "`{word}` twice");
                assert_eq!(KnownUnit::find(word), Some(unit), "{word}");
            }
            assert!(unit.names.iter().all(|name| *name == name.to_lowercase()), "{unit:?}");
        }
    }

    #[test]
    fn sizes_are_whole_numbers_that_floats_hold_exactly() {
        let exact = |size: f64| size.fract() == 0.0 && size < 9e15;
        assert!(UNITS.iter().all(|unit| exact(unit.size.0) && exact(unit.size.1)));
    }

    #[test]
    fn units_are_converted() {
        let convert = |number: f64, from: &str, into: &str| {
            KnownUnit::find(from).unwrap().convert(number, KnownUnit::find(into).unwrap())
        };
        let cases = [
            (3200.0, "m", "km", 3.2),
            (1.0, "mile", "ft", 5280.0),
            (1.0, "kWh", "MJ", 3.6),
            (2.0, "years", "months", 24.0),
            (1.0, "acre", "sq ft", 43560.0),
            (18.0, "°F", "K", 10.0),
            (25.0, "basis points", "pp", 0.25),
            (36.0, "km/h", "m/s", 10.0),
            (1.0, "lb", "oz", 16.0),
        ];
        for (number, from, into, expected) in cases {
            let got = convert(number, from, into);
            assert!((got - expected).abs() < 1e-9, "{number} {from} is {got} {into}");
        }
    }

    #[test]
    fn case_tells_symbols_apart_and_not_names() {
        let symbol = |text: &str| KnownUnit::find(text).map(KnownUnit::symbol);
        assert_eq!(symbol("MW"), Some("MW"));
        assert_eq!(symbol("mW"), Some("mW"));
        assert_eq!(symbol("MT"), None, "a tonne or a million of them");
        assert_eq!(symbol("Square  Kilometres"), Some("km²"));
        assert_eq!(symbol("Kilowatt-hours"), Some("kWh"));
    }
}
