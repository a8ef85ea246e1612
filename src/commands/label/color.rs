//! Colours as they are typed: hexadecimal, or a name of CSS (CSS Color Module Level 4, named colors).

const NAMES: &str = "aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet \
    brown burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan \
    darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred \
    darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue \
    dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray \
    green greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen \
    lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey lightpink \
    lightsalmon lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime limegreen \
    linen magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue \
    mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy \
    oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip \
    peachpuff peru pink plum powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown \
    seagreen seashell sienna silver skyblue slateblue slategray slategrey snow springgreen steelblue tan teal \
    thistle tomato turquoise violet wheat white whitesmoke yellow yellowgreen";

/// Takes what the service takes.
pub(super) fn parse_color(text: &str) -> Result<String, String> {
    let is_hex = |digits: &str| digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let name = text.to_ascii_lowercase();
    if text.strip_prefix('#').is_some_and(is_hex) {
        return Ok(text.to_owned());
    }
    if NAMES.split(' ').any(|known| known == name) {
        return Ok(name);
    }
    if is_hex(text) {
        return Err(format!("six digits need `#` in front: '#{text}'"));
    }
    let near = NAMES.split(' ').map(|known| (strsim::osa_distance(known, &name), known)).min();
    Err(match near {
        Some((distance, known)) if distance <= 2 => format!("did you mean `{known}`?"),
        _ => "`#` and six hexadecimal digits, or the CSS name of a colour".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_digits_or_names() {
        assert_eq!(parse_color("#FFaa00").as_deref(), Ok("#FFaa00"));
        assert_eq!(parse_color("Teal").as_deref(), Ok("teal"));
        assert_eq!(parse_color("ffaa00"), Err("six digits need `#` in front: '#ffaa00'".to_owned()));
        assert_eq!(parse_color("organe"), Err("did you mean `orange`?".to_owned()));
        assert!(parse_color("#fff").is_err());
    }
}
