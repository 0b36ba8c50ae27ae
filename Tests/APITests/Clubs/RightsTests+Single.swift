extension ClubRightsTests {
    /// The requests for single resources. The callers have no reactions or join requests, so their own are not
    /// found.
    static let ofSingles = [
        //                                                            strangr invitd membr modertr owner admin revoked
        Row("GET", "/v1/clubs/{club}/members/{ben}", nil, [404, 404, 200, 200, 200, 404, 401]),
        Row("GET", "/v1/clubs/{club}/milestones/{milestone}", nil, [404, 404, 200, 200, 200, 404, 401]),
        Row("GET", "/v1/clubs/{club}/standings/{standing}", nil, [404, 404, 200, 200, 200, 404, 401]),
        Row("GET", "/v1/clubs/{club}/meetings/{meeting}/attendance", nil, [404, 404, 404, 404, 404, 404, 401]),
        Row("GET", "/v1/clubs/{club}/notes?thread={note}", nil, [404, 404, 200, 200, 200, 404, 401]),
        Row("GET", "/v1/requests/{request}", nil, [404, 404, 404, 200, 200, 404, 401]),
    ]
}
