//! The pages that no site makes: where an address leads nowhere.

/// What a browser shows for a host that does not exist.
pub(super) fn unknown_host(host: &str) -> String {
    let host = escaped(host);
    notice("This site can't be reached", &format!("<b>{host}</b> cannot be found."), "Check the address for mistakes.")
}

/// What is shown for an answer that is none.
pub(super) fn no_page(address: &str) -> String {
    let address = escaped(address);
    notice("This page isn't working", &format!("<b>{address}</b> sent nothing that can be shown."), "")
}

fn notice(title: &str, what: &str, hint: &str) -> String {
    format!(
        "<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title>\
         <style>body{{margin:14vh auto;max-width:560px;padding:0 24px;font:15px/1.6 'Liberation Sans',sans-serif;\
         color:#5f6368}}h1{{font-size:24px;font-weight:500;color:#202124}}</style>\
         <h1>{title}</h1><p>{what}</p><p>{hint}</p></html>"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
