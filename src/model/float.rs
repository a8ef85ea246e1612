//! How the service, a Ruby program, writes floating-point numbers.

/// Ruby's `Float#to_s`: the shortest digits that read back the same, with an exponent below `1e-4` and from `1e16` on.
#[must_use]
pub fn float_text(number: f64) -> String {
    match number {
        _ if number.is_nan() => "NaN".to_owned(),
        _ if number.is_infinite() => if number > 0.0 { "Infinity" } else { "-Infinity" }.to_owned(),
        _ if number == 0.0 || (1e-4..1e16).contains(&number.abs()) => format!("{number:?}"),
        _ => scientific(number),
    }
}

fn scientific(number: f64) -> String {
    let text = format!("{number:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let point = if digits.contains('.') { "" } else { ".0" };
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |exponent| ('-', exponent));
    format!("{digits}{point}e{sign}{exponent:0>2}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_as_ruby_prints_it() {
        let table = [
            (1.5, "1.5"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (0.0001, "0.0001"),
            (0.00001, "1.0e-05"),
            (1e15, "1000000000000000.0"),
            (1e16, "1.0e+16"),
            (-1.25e100, "-1.25e+100"),
            (f64::INFINITY, "Infinity"),
        ];
        for (number, text) in table {
            assert_eq!(float_text(number), text);
        }
    }
}
