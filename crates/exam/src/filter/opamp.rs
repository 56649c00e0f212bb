//! The op-amp: a linear macromodel with two poles.

use serde::{Deserialize, Serialize};

use super::parts::spice_text;
use super::phasor::Phasor;

/// The transconductances of both stages inside.
const GM1: f64 = 1e-3;
const GM2: f64 = 1e-3;
const R2: f64 = 1e3;

/// An op-amp, by the elements of its macromodel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct OpampModel {
    pub(super) name: String,
    pub(super) input_ohm: f64,
    pub(super) input_f: f64,
    /// From each input to ground.
    pub(super) ground_f: f64,
    pub(super) gain_ohm: f64,
    pub(super) gain_f: f64,
    pub(super) second_f: f64,
    pub(super) output_ohm: f64,
}

impl OpampModel {
    /// What it amplifies by without feedback; one without limits if it were ideal.
    pub(super) fn gain(&self, s: Phasor) -> Phasor {
        let pole =
            |gm: f64, ohm: f64, farad: f64| Phasor::real(gm) / (Phasor::real(1.0 / ohm) + s * Phasor::real(farad));
        pole(GM1, self.gain_ohm, self.gain_f) * pole(GM2, R2, self.second_f)
    }

    /// What textbooks reckon with instead.
    pub(super) fn idealised(&self) -> Self {
        Self { gain_f: 0.0, second_f: 0.0, gain_ohm: 1e12, input_f: 0.0, ground_f: 0.0, ..self.clone() }
    }

    /// Its macromodel.
    pub(super) fn written(&self) -> String {
        let [rid, cid, cg, r1, c1, c2, ro] =
            [self.input_ohm, self.input_f, self.ground_f, self.gain_ohm, self.gain_f, self.second_f, self.output_ohm]
                .map(spice_text);
        let name = &self.name;
        format!(
            "* {name} operational amplifier, linear macromodel for small signals\n\
             * connections: non-inverting input, inverting input, output\n\
             .subckt {name} inp inn out\n\
             Rid inp inn {rid}\nCid inp inn {cid}\nCp inp 0 {cg}\nCn inn 0 {cg}\n\
             * first pole\nGm1 0 x inp inn {}\nR1 x 0 {r1}\nC1 x 0 {c1}\n\
             * second pole\nGm2 0 y x 0 {}\nR2 y 0 {}\nC2 y 0 {c2}\n\
             * output\nEo z 0 y 0 1\nRo z out {ro}\n.ends {name}\n",
            spice_text(GM1),
            spice_text(GM2),
            spice_text(R2),
        )
    }
}
