//! The same steps come to the same screens, documents and visits, whatever the pauses between them.

use super::*;

/// The screens after each of many steps, and the evidence at the end.
fn played(pauses: &[u64]) -> (Vec<Arc<[u8]>>, Value) {
    let mut world = open();
    let mut screens = vec![screen(&mut world)];
    let mut step = |world: &mut SiteWorld, action: Action| {
        // The pauses of a test about pauses.
        std::thread::sleep(Duration::from_millis(pauses[screens.len() % pauses.len()]));
        act(world, &action);
        screens.push(screen(world));
    };
    let at = |world: &mut SiteWorld, name: &str| Action::click(middle(world, name));
    let action = at(&mut world, "input|q|Words");
    step(&mut world, action);
    step(&mut world, write("orvia\n"));
    for name in [
        "a|https://shop.test/|Shop",
        "select|size|Size SmallMiddleLarge",
        "option|size=m|Middle",
        "summary||Terms",
        "textarea|note|Note",
    ] {
        let action = at(&mut world, name);
        step(&mut world, action);
    }
    step(&mut world, write("a note"));
    for name in ["button|buy|Order now", "a|https://numbers.test/|Figures", "a|https://numbers.test/?sort=value|Value"]
    {
        let action = at(&mut world, name);
        step(&mut world, action);
    }
    step(&mut world, Action::Scroll { at: Some((300.0, 300.0).into()), dx: 0.0, dy: 700.0 });
    step(&mut world, Action::Back);
    step(&mut world, Action::Tab { index: 0 });
    step(&mut world, Action::Back);
    step(&mut world, Action::Forward);
    step(&mut world, key("ctrl+l"));
    step(&mut world, write("find.test/?q=a\n"));
    step(&mut world, Action::Wait { ms: 700 });
    step(&mut world, go("shop.test/odd"));
    let action = at(&mut world, "button|send|Send");
    step(&mut world, action);
    step(&mut world, Action::Wait { ms: 300 });
    let documents = world.collect(SOON).expect("collected").evidence.documents;
    (screens, serde_json::to_value(documents).expect("JSON"))
}

#[test]
fn the_same_steps_come_to_the_same_screens_and_documents() {
    let (screens, documents) = played(&[0]);
    let (same_screens, same_documents) = played(&[130, 0, 40, 310, 5]);
    assert_eq!(documents, same_documents);
    assert_eq!(screens.len(), same_screens.len());
    for (idx, (one, other)) in screens.iter().zip(&same_screens).enumerate() {
        assert!(one == other, "the screens after step {idx} differ");
    }
    assert!(screens.windows(2).filter(|pair| pair[0] != pair[1]).count() > 15, "the steps are to be seen");
}
