// Written by .ci/pages.
#include "CPages.h"

// #embed is part of C23; every compiler that builds Swift 6.3 supports it.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char admin_admin_css[] = {
#embed "admin/admin.css"
};
static const unsigned char admin_admin_js[] = {
#embed "admin/admin.js"
};
static const unsigned char admin_data_js[] = {
#embed "admin/data.js"
};
static const unsigned char admin_index_html[] = {
#embed "admin/index.html"
};
static const unsigned char admin_parts_js[] = {
#embed "admin/parts.js"
};
static const unsigned char admin_people_js[] = {
#embed "admin/people.js"
};
static const unsigned char admin_service_js[] = {
#embed "admin/service.js"
};
static const unsigned char admin_things_js[] = {
#embed "admin/things.js"
};
static const unsigned char docs_contract_js[] = {
#embed "docs/contract.js"
};
static const unsigned char docs_docs_css[] = {
#embed "docs/docs.css"
};
static const unsigned char docs_docs_js[] = {
#embed "docs/docs.js"
};
static const unsigned char docs_index_html[] = {
#embed "docs/index.html"
};
static const unsigned char docs_views_js[] = {
#embed "docs/views.js"
};
static const unsigned char inspect_connection_js[] = {
#embed "inspect/connection.js"
};
static const unsigned char inspect_index_html[] = {
#embed "inspect/index.html"
};
static const unsigned char inspect_inspect_css[] = {
#embed "inspect/inspect.css"
};
static const unsigned char inspect_inspect_js[] = {
#embed "inspect/inspect.js"
};
static const unsigned char inspect_rows_js[] = {
#embed "inspect/rows.js"
};
static const unsigned char reader_app_js[] = {
#embed "reader/app.js"
};
static const unsigned char reader_book_form_js[] = {
#embed "reader/book-form.js"
};
static const unsigned char reader_book_js[] = {
#embed "reader/book.js"
};
static const unsigned char reader_card_js[] = {
#embed "reader/card.js"
};
static const unsigned char reader_check_js[] = {
#embed "reader/check.js"
};
static const unsigned char reader_clubs_club_js[] = {
#embed "reader/clubs-club.js"
};
static const unsigned char reader_clubs_kit_js[] = {
#embed "reader/clubs-kit.js"
};
static const unsigned char reader_clubs_now_js[] = {
#embed "reader/clubs-now.js"
};
static const unsigned char reader_clubs_people_js[] = {
#embed "reader/clubs-people.js"
};
static const unsigned char reader_clubs_plan_js[] = {
#embed "reader/clubs-plan.js"
};
static const unsigned char reader_clubs_reports_js[] = {
#embed "reader/clubs-reports.js"
};
static const unsigned char reader_clubs_css[] = {
#embed "reader/clubs.css"
};
static const unsigned char reader_clubs_js[] = {
#embed "reader/clubs.js"
};
static const unsigned char reader_draft_js[] = {
#embed "reader/draft.js"
};
static const unsigned char reader_editor_js[] = {
#embed "reader/editor.js"
};
static const unsigned char reader_graph_js[] = {
#embed "reader/graph.js"
};
static const unsigned char reader_home_js[] = {
#embed "reader/home.js"
};
static const unsigned char reader_index_html[] = {
#embed "reader/index.html"
};
static const unsigned char reader_me_account_js[] = {
#embed "reader/me-account.js"
};
static const unsigned char reader_me_js[] = {
#embed "reader/me.js"
};
static const unsigned char reader_meetings_js[] = {
#embed "reader/meetings.js"
};
static const unsigned char reader_note_place_js[] = {
#embed "reader/note-place.js"
};
static const unsigned char reader_notes_list_js[] = {
#embed "reader/notes-list.js"
};
static const unsigned char reader_notes_note_js[] = {
#embed "reader/notes-note.js"
};
static const unsigned char reader_notes_js[] = {
#embed "reader/notes.js"
};
static const unsigned char reader_pictures_js[] = {
#embed "reader/pictures.js"
};
static const unsigned char reader_placed_js[] = {
#embed "reader/placed.js"
};
static const unsigned char reader_rating_js[] = {
#embed "reader/rating.js"
};
static const unsigned char reader_reader_css[] = {
#embed "reader/reader.css"
};
static const unsigned char reader_reading_js[] = {
#embed "reader/reading.js"
};
static const unsigned char reader_screens_js[] = {
#embed "reader/screens.js"
};
static const unsigned char reader_search_js[] = {
#embed "reader/search.js"
};
static const unsigned char reader_section_js[] = {
#embed "reader/section.js"
};
static const unsigned char reader_shelf_js[] = {
#embed "reader/shelf.js"
};
static const unsigned char reader_state_js[] = {
#embed "reader/state.js"
};
static const unsigned char shared_acts_js[] = {
#embed "shared/acts.js"
};
static const unsigned char shared_api_js[] = {
#embed "shared/api.js"
};
static const unsigned char shared_base_css[] = {
#embed "shared/base.css"
};
static const unsigned char shared_dom_js[] = {
#embed "shared/dom.js"
};
static const unsigned char shared_fold_js[] = {
#embed "shared/fold.js"
};
static const unsigned char shared_format_js[] = {
#embed "shared/format.js"
};
static const unsigned char shared_frame_css[] = {
#embed "shared/frame.css"
};
static const unsigned char shared_frame_js[] = {
#embed "shared/frame.js"
};
static const unsigned char shared_isolate_js[] = {
#embed "shared/isolate.js"
};
static const unsigned char shared_parts_js[] = {
#embed "shared/parts.js"
};
static const unsigned char shared_router_js[] = {
#embed "shared/router.js"
};
static const unsigned char shared_sign_out_js[] = {
#embed "shared/sign-out.js"
};
static const unsigned char shared_store_js[] = {
#embed "shared/store.js"
};
static const unsigned char shared_stream_js[] = {
#embed "shared/stream.js"
};
static const unsigned char sign_in_forms_js[] = {
#embed "sign-in/forms.js"
};
static const unsigned char sign_in_here_js[] = {
#embed "sign-in/here.js"
};
static const unsigned char sign_in_index_html[] = {
#embed "sign-in/index.html"
};
static const unsigned char sign_in_page_js[] = {
#embed "sign-in/page.js"
};
static const unsigned char sign_in_sign_in_css[] = {
#embed "sign-in/sign-in.css"
};
static const unsigned char sign_in_sign_in_js[] = {
#embed "sign-in/sign-in.js"
};
static const unsigned char text_admin_js[] = {
#embed "shared/text.js" limit(444)
,
#embed "shared/text.js" clang::offset(26884) limit(5246)
};
static const unsigned char text_clubs_js[] = {
#embed "shared/text.js" limit(444)
,
#embed "shared/text.js" clang::offset(7425) limit(9460)
};
static const unsigned char text_common_js[] = {
#embed "shared/text.js" limit(444)
,
#embed "shared/text.js" clang::offset(444) limit(2297)
};
static const unsigned char text_docs_js[] = {
#embed "shared/text.js" limit(444)
,
#embed "shared/text.js" clang::offset(25113) limit(1771)
};
static const unsigned char text_inspect_js[] = {
#embed "shared/text.js" limit(444)
,
#embed "shared/text.js" clang::offset(23587) limit(1526)
};
static const unsigned char text_joining_js[] = {
#embed "shared/text.js" limit(444)
,
#embed "shared/text.js" clang::offset(20555) limit(3032)
};
static const unsigned char text_me_js[] = {
#embed "shared/text.js" limit(444)
,
#embed "shared/text.js" clang::offset(16885) limit(3670)
};
static const unsigned char text_reading_js[] = {
#embed "shared/text.js" limit(444)
,
#embed "shared/text.js" clang::offset(2741) limit(4684)
};

static const struct lectern_page pages[] = {
    {"admin/admin.css", admin_admin_css, sizeof admin_admin_css},
    {"admin/admin.js", admin_admin_js, sizeof admin_admin_js},
    {"admin/data.js", admin_data_js, sizeof admin_data_js},
    {"admin/index.html", admin_index_html, sizeof admin_index_html},
    {"admin/parts.js", admin_parts_js, sizeof admin_parts_js},
    {"admin/people.js", admin_people_js, sizeof admin_people_js},
    {"admin/service.js", admin_service_js, sizeof admin_service_js},
    {"admin/things.js", admin_things_js, sizeof admin_things_js},
    {"docs/contract.js", docs_contract_js, sizeof docs_contract_js},
    {"docs/docs.css", docs_docs_css, sizeof docs_docs_css},
    {"docs/docs.js", docs_docs_js, sizeof docs_docs_js},
    {"docs/index.html", docs_index_html, sizeof docs_index_html},
    {"docs/views.js", docs_views_js, sizeof docs_views_js},
    {"inspect/connection.js", inspect_connection_js, sizeof inspect_connection_js},
    {"inspect/index.html", inspect_index_html, sizeof inspect_index_html},
    {"inspect/inspect.css", inspect_inspect_css, sizeof inspect_inspect_css},
    {"inspect/inspect.js", inspect_inspect_js, sizeof inspect_inspect_js},
    {"inspect/rows.js", inspect_rows_js, sizeof inspect_rows_js},
    {"reader/app.js", reader_app_js, sizeof reader_app_js},
    {"reader/book-form.js", reader_book_form_js, sizeof reader_book_form_js},
    {"reader/book.js", reader_book_js, sizeof reader_book_js},
    {"reader/card.js", reader_card_js, sizeof reader_card_js},
    {"reader/check.js", reader_check_js, sizeof reader_check_js},
    {"reader/clubs-club.js", reader_clubs_club_js, sizeof reader_clubs_club_js},
    {"reader/clubs-kit.js", reader_clubs_kit_js, sizeof reader_clubs_kit_js},
    {"reader/clubs-now.js", reader_clubs_now_js, sizeof reader_clubs_now_js},
    {"reader/clubs-people.js", reader_clubs_people_js, sizeof reader_clubs_people_js},
    {"reader/clubs-plan.js", reader_clubs_plan_js, sizeof reader_clubs_plan_js},
    {"reader/clubs-reports.js", reader_clubs_reports_js, sizeof reader_clubs_reports_js},
    {"reader/clubs.css", reader_clubs_css, sizeof reader_clubs_css},
    {"reader/clubs.js", reader_clubs_js, sizeof reader_clubs_js},
    {"reader/draft.js", reader_draft_js, sizeof reader_draft_js},
    {"reader/editor.js", reader_editor_js, sizeof reader_editor_js},
    {"reader/graph.js", reader_graph_js, sizeof reader_graph_js},
    {"reader/home.js", reader_home_js, sizeof reader_home_js},
    {"reader/index.html", reader_index_html, sizeof reader_index_html},
    {"reader/me-account.js", reader_me_account_js, sizeof reader_me_account_js},
    {"reader/me.js", reader_me_js, sizeof reader_me_js},
    {"reader/meetings.js", reader_meetings_js, sizeof reader_meetings_js},
    {"reader/note-place.js", reader_note_place_js, sizeof reader_note_place_js},
    {"reader/notes-list.js", reader_notes_list_js, sizeof reader_notes_list_js},
    {"reader/notes-note.js", reader_notes_note_js, sizeof reader_notes_note_js},
    {"reader/notes.js", reader_notes_js, sizeof reader_notes_js},
    {"reader/pictures.js", reader_pictures_js, sizeof reader_pictures_js},
    {"reader/placed.js", reader_placed_js, sizeof reader_placed_js},
    {"reader/rating.js", reader_rating_js, sizeof reader_rating_js},
    {"reader/reader.css", reader_reader_css, sizeof reader_reader_css},
    {"reader/reading.js", reader_reading_js, sizeof reader_reading_js},
    {"reader/screens.js", reader_screens_js, sizeof reader_screens_js},
    {"reader/search.js", reader_search_js, sizeof reader_search_js},
    {"reader/section.js", reader_section_js, sizeof reader_section_js},
    {"reader/shelf.js", reader_shelf_js, sizeof reader_shelf_js},
    {"reader/state.js", reader_state_js, sizeof reader_state_js},
    {"shared/acts.js", shared_acts_js, sizeof shared_acts_js},
    {"shared/api.js", shared_api_js, sizeof shared_api_js},
    {"shared/base.css", shared_base_css, sizeof shared_base_css},
    {"shared/dom.js", shared_dom_js, sizeof shared_dom_js},
    {"shared/fold.js", shared_fold_js, sizeof shared_fold_js},
    {"shared/format.js", shared_format_js, sizeof shared_format_js},
    {"shared/frame.css", shared_frame_css, sizeof shared_frame_css},
    {"shared/frame.js", shared_frame_js, sizeof shared_frame_js},
    {"shared/isolate.js", shared_isolate_js, sizeof shared_isolate_js},
    {"shared/parts.js", shared_parts_js, sizeof shared_parts_js},
    {"shared/router.js", shared_router_js, sizeof shared_router_js},
    {"shared/sign-out.js", shared_sign_out_js, sizeof shared_sign_out_js},
    {"shared/store.js", shared_store_js, sizeof shared_store_js},
    {"shared/stream.js", shared_stream_js, sizeof shared_stream_js},
    {"sign-in/forms.js", sign_in_forms_js, sizeof sign_in_forms_js},
    {"sign-in/here.js", sign_in_here_js, sizeof sign_in_here_js},
    {"sign-in/index.html", sign_in_index_html, sizeof sign_in_index_html},
    {"sign-in/page.js", sign_in_page_js, sizeof sign_in_page_js},
    {"sign-in/sign-in.css", sign_in_sign_in_css, sizeof sign_in_sign_in_css},
    {"sign-in/sign-in.js", sign_in_sign_in_js, sizeof sign_in_sign_in_js},
    {"text/admin.js", text_admin_js, sizeof text_admin_js},
    {"text/clubs.js", text_clubs_js, sizeof text_clubs_js},
    {"text/common.js", text_common_js, sizeof text_common_js},
    {"text/docs.js", text_docs_js, sizeof text_docs_js},
    {"text/inspect.js", text_inspect_js, sizeof text_inspect_js},
    {"text/joining.js", text_joining_js, sizeof text_joining_js},
    {"text/me.js", text_me_js, sizeof text_me_js},
    {"text/reading.js", text_reading_js, sizeof text_reading_js},
};

size_t lectern_page_count(void) { return sizeof pages / sizeof pages[0]; }
struct lectern_page lectern_page(size_t index) { return pages[index]; }
