use catena_compile::*;
use catena_derivation::*;
use catena_model::*;
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let sys = catena_systems::find(&args[1]).unwrap();
    let settings: Vec<Setting> =
        args[2..].iter().filter(|s| s.contains('=')).map(|s| Setting(s.clone())).collect();
    let t0 = Instant::now();
    let model = match Model::read(Source::new(sys.name, sys.text), &settings) {
        Ok(m) => m,
        Err(p) => {
            for x in &p.problems {
                println!("{x} at {:?} help {:?}", x.place, x.kind.help());
            }
            return;
        }
    };
    let set = if args.iter().any(|a| a == "absolute") {
        CoordinateSet::Absolute
    } else {
        CoordinateSet::Joint
    };
    let system = model.system(set).unwrap();
    let t1 = Instant::now();
    let eq = Equations::derive(&model, system);
    let t2 = Instant::now();
    let p = mass_and_forces_program(&eq);
    let t3 = Instant::now();
    eprintln!(
        "read {:?} derive {:?} lower {:?} ops {} nodes {} total {:?}",
        t1 - t0,
        t2 - t1,
        t3 - t2,
        p.operations.len(),
        eq.graph.len(),
        t3 - t0
    );
    for w in &model.warnings {
        eprintln!("warning {w}");
    }
    if args.iter().any(|a| a == "quiet") {
        return;
    }
    let c = check(&model, system, &eq, 3, Thoroughness::Quick, 1);
    eprintln!("check {:?} {:?}", c, t3.elapsed());
    let t4 = Instant::now();
    let d = explain(&model, system, &eq, c.ok().flatten());
    eprintln!("explain {:?}", t4.elapsed());
    eprintln!("angles {:?}", angles(&eq, system));
    println!("{}", d.write(Format::Text { color: false }));
}
