//! A rocket climbs, bursts, and its sparks fall and go out.

use libm::{cosf, sinf};
use quintain_core::rng::Rng;

use super::Happening;
use super::stage::{ClipStage, StagePlace};
use crate::sources::photos::scenes::noise::noise;
use crate::sources::photos::scenes::sheet::{Rgb, lit, mix, near, ramp, within};

/// When the rocket bursts.
const BURST: f32 = 0.30;
const ROOFS: f32 = 0.84;

struct Firework {
    from: StagePlace,
    middle: StagePlace,
    color: Rgb,
    sky: [Rgb; 2],
    sparks: Vec<Spark>,
    /// Houses along the ground: left side, width, height.
    houses: Vec<(f32, f32, f32)>,
    stars: Vec<(StagePlace, f32)>,
}

/// Where a spark flies, and how far.
struct Spark {
    towards: StagePlace,
    reach: f32,
    tone: f32,
}

pub(super) fn make(rng: &mut Rng) -> Box<dyn Happening> {
    let colors =
        [[255.0, 90.0, 70.0], [90.0, 190.0, 255.0], [255.0, 204.0, 80.0], [130.0, 255.0, 140.0], [230.0, 120.0, 255.0]];
    let color = *rng.choose(&colors);
    let middle = (within(rng, 0.36, 0.64), within(rng, 0.28, 0.36));
    let spark = |i: usize, rng: &mut Rng| {
        let angle = i as f32 * 2.4;
        let towards = (cosf(angle), sinf(angle));
        Spark { towards, reach: 0.30 * within(rng, 0.25, 1.0).sqrt(), tone: within(rng, 0.0, 1.0) }
    };
    let mut houses = Vec::new();
    let mut left = 0.0;
    while left < 1.0 {
        let width = within(rng, 0.08, 0.18);
        houses.push((left, width, within(rng, 0.02, 0.11)));
        left += width;
    }
    Box::new(Firework {
        from: (middle.0 + within(rng, -0.12, 0.12), ROOFS),
        middle,
        color: near(rng, color, 12.0),
        sky: [near(rng, [12.0, 16.0, 40.0], 6.0), near(rng, [54.0, 46.0, 84.0], 12.0)],
        sparks: (0..72).map(|i| spark(i, rng)).collect(),
        houses,
        stars: (0..26).map(|_| ((within(rng, 0.0, 1.0), within(rng, 0.0, 0.7)), within(rng, 0.2, 0.9))).collect(),
    })
}

impl Happening for Firework {
    fn about(&self) -> &'static str {
        "a firework rocket climbs, bursts, and its sparks fall and go out"
    }

    fn backdrop(&self, stage: &mut ClipStage) {
        stage.soft((0.0, 1.0), |(x, y), _| {
            let haze = noise().at(x * 30.0, y * 50.0) - 0.5;
            lit(mix(self.sky[0], self.sky[1], y * y), 1.0 + haze * 0.35)
        });
        for (place, light) in &self.stars {
            stage.ellipse(*place, (0.004, 0.004), [226.0, 230.0, 250.0], *light);
        }
    }

    fn paint(&self, stage: &mut ClipStage, time: f32) {
        if time < BURST {
            self.paint_rocket(stage, time / BURST);
        } else {
            self.paint_burst(stage, (time - BURST) / (1.0 - BURST));
        }
        self.paint_houses(stage);
    }
}

impl Firework {
    fn paint_rocket(&self, stage: &mut ClipStage, climbed: f32) {
        let at = |share: f32| {
            let slowing = 1.0 - (1.0 - share) * (1.0 - share);
            let (from, to) = (self.from, self.middle);
            (from.0 + (to.0 - from.0) * slowing, from.1 + (to.1 - from.1) * slowing)
        };
        for step in 0..14 {
            let behind = step as f32 / 14.0;
            let (near_by, far) = (climbed * (1.0 - behind * 0.7), climbed * (1.0 - (behind + 0.08) * 0.7));
            let color = mix([255.0, 226.0, 160.0], self.sky[1], behind);
            stage.stroke(at(near_by), at(far), (0.018 * (1.0 - behind) + 0.004, 0.008), color);
        }
        stage.glow(at(climbed), 0.10, [255.0, 220.0, 150.0], 0.8);
        stage.ellipse(at(climbed), (0.014, 0.014), [255.0, 250.0, 226.0], 1.0);
    }

    fn paint_burst(&self, stage: &mut ClipStage, gone: f32) {
        let light = 1.0 - ramp(0.35, 1.05, gone);
        stage.glow(self.middle, 0.30 + 0.24 * gone, self.color, 0.9 * (1.0 - gone) * (1.0 - gone));
        for (i, spark) in self.sparks.iter().enumerate().step_by(9) {
            let puff = self.spark_at(spark, gone * 0.6);
            let grey = 62.0 + 4.0 * i as f32 / 9.0;
            let size = 0.05 + 0.07 * gone;
            stage.ellipse(puff, (size, size * 0.8), [grey, grey, grey + 10.0], 0.32 * ramp(0.2, 0.8, gone));
        }
        for spark in &self.sparks {
            let (now, before) = (self.spark_at(spark, gone), self.spark_at(spark, (gone - 0.09).max(0.0)));
            let hot = mix([255.0, 250.0, 230.0], self.color, ramp(0.0, 0.35, gone));
            let ember = mix(hot, [206.0, 84.0, 40.0], ramp(0.45, 1.0, gone) * (0.5 + 0.5 * spark.tone));
            let color = lit(ember, 0.35 + 0.65 * light);
            let width = 0.007 + 0.008 * light;
            stage.stroke(now, before, (width, width * 0.4), color);
            stage.ellipse(now, (width * 0.8, width * 0.8), lit(color, 1.15), 1.0);
        }
    }

    /// Where a spark is: slowed down by the air, and falling.
    fn spark_at(&self, spark: &Spark, gone: f32) -> StagePlace {
        let flown = 1.0 - (1.0 - gone) * (1.0 - gone) * (1.0 - gone);
        let (x, y) = self.middle;
        (x + spark.towards.0 * spark.reach * flown, y + spark.towards.1 * spark.reach * flown + 0.30 * gone * gone)
    }

    fn paint_houses(&self, stage: &mut ClipStage) {
        for (i, (left, width, height)) in self.houses.iter().enumerate() {
            let (right, top) = (left + width, ROOFS + 0.05 - height);
            let ridge = (left + width / 2.0, top - 0.05);
            let house = [(*left, 1.01), (*left, top), ridge, (right, top), (right, 1.01)];
            stage.polygon(&house, |_| [9.0, 9.0, 16.0]);
            if i % 2 == 0 {
                let (x, y) = (left + width * 0.35, top + 0.03);
                stage.polygon(&[(x, y), (x + 0.022, y), (x + 0.022, y + 0.028), (x, y + 0.028)], |_| {
                    [236.0, 186.0, 90.0]
                });
            }
        }
    }
}
