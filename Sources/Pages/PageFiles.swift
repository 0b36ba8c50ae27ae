/// The files of the one page, as they lie beside this one.
package enum PageFiles {
    package static let html = PackageResources.page_html
    package static let style = PackageResources.page_css
    package static let script = PackageResources.page_js
}
