extension ClubRightsTests {
    /// The requests for runs. The run in braces is current, and has no proposer.
    static let ofRuns = [
        //                                                            strangr invitd membr modertr owner admin revoked
        Row("GET", "/v1/clubs/{club}/runs", nil, [404, 404, 200, 200, 200, 404, 401]),
        Row("POST", "/v1/clubs/{club}/runs", "{\"book\":\"{book}\"}", [404, 404, 201, 201, 201, 404, 401]),
        Row(
            "POST", "/v1/clubs/{club}/runs", "{\"book\":\"{book}\",\"state\":\"planned\"}",
            [404, 404, 403, 201, 201, 404, 401]),
        Row("PUT", "/v1/clubs/{club}/runs/{new}", "{\"book\":\"{book}\"}", [404, 404, 201, 201, 201, 404, 401]),
        Row("GET", "/v1/clubs/{club}/runs/{run}", nil, [404, 404, 200, 200, 200, 404, 401]),
        Row(
            "PATCH", "/v1/clubs/{club}/runs/{run}", "{\"state\":\"read\"}", [404, 404, 403, 200, 200, 404, 401]),
        Row("DELETE", "/v1/clubs/{club}/runs/{run}", nil, [404, 404, 403, 204, 204, 404, 401]),
        Row("GET", "/v1/clubs/{club}/notes?run={run}", nil, [404, 404, 200, 200, 200, 404, 401]),
    ]
}
