import JSON
import Model

/// A standing in its version for each audience.
struct StandingVersions {
    var club: Standing
    /// The version for moderators, or `nil` if they see the club's version.
    let moderators: ModeratorStanding?

    /// The fields that depend on the audience.
    static let fields = Standing.fields["progress", "state", "lastReadAt", "finishedAt"]
    /// The state before the event of an unchanged row, in the log.
    static let nothingReplaced = Array("{}".utf8)

    /// Returns the standings that satisfy a condition, oldest first.
    static func all(
        where condition: StaticString, _ value: some SQLBindable, in connection: SQLiteConnection
    ) throws(SQLiteError) -> [StandingVersions] {
        var all: [StandingVersions] = []
        for club in try StandingTable.matching(condition, in: connection).bind(value).all(StandingTable.row) {
            let moderators = club.hasModeratorVersion ? try ModeratorStandingTable.find(club.id, in: connection) : nil
            all.append(StandingVersions(club: club, moderators: moderators))
        }
        return all.sorted { $0.club.key < $1.club.key }
    }

    /// Returns the writes that update the standing's versions from a changed reading.
    func showing(_ reading: Reading, _ milestones: [Milestone], hasRead: Bool) -> [any CommandChange] {
        let forModerators = club.sharesWithModerators.map(club.shares.wider) ?? club.shares
        return changed(
            { $0.show(reading, club.shares, milestones, hasRead: hasRead) },
            { $0.show(reading, forModerators, milestones, hasRead: hasRead) })
    }

    /// Returns a write that changes nothing, and whose outcome is the version of the standing that a member sees.
    func unchanged(for member: Member) -> any CommandChange {
        if member.role.moderates, let moderators {
            return RowWrite<ModeratorStandingTable>(before: moderators, after: moderators)
        }
        return RowWrite<StandingTable>(before: club, after: club)
    }

    /// Returns the writes that record in the standing's versions whether its run is current.
    func showing(isCurrent: Bool) -> [any CommandChange] {
        changed({ $0.isCurrent = isCurrent }, { $0.isCurrent = isCurrent })
    }

    /// Returns the writes that change the standing's versions for both audiences.
    private func changed(
        _ forClub: (inout Standing) -> Void, _ forModerators: (inout ModeratorStanding) -> Void
    ) -> [any CommandChange] {
        var writes: [any CommandChange] = [StandingTable.update(of: club, forClub)]
        if let moderators { writes.append(ModeratorStandingTable.update(of: moderators, forModerators)) }
        return writes
    }

    /// Returns the writes that delete all versions of the standing.
    func ends() -> [any CommandChange] {
        let moderatorVersion: [any CommandChange] =
            moderators.map { [RowWrite<ModeratorStandingTable>(before: $0, after: nil)] } ?? []
        return moderatorVersion + [RowWrite<StandingTable>(before: club, after: nil)]
    }

    /// Returns the change that sends one member their new version after a change of their role.
    func versionEvent(to reader: Int64, asModerator isModerator: Bool) -> (any CommandChange)? {
        guard let moderators else { return nil }
        let scope = ChangeScope.club(key: club.clubKey, only: reader)
        func event(of row: some Resource) -> any CommandChange {
            LoggedEvent(
                row: row, operation: .updated, scope: scope, before: Self.nothingReplaced, changed: Self.fields)
        }
        return isModerator ? event(of: moderators) : event(of: club)
    }
}

/// The start of a separate version of a standing for moderators. They receive an update, because they have seen the
/// club's version.
struct SeparateModeratorStandingCreation: CommandChange {
    let club: Standing
    let moderators: ModeratorStanding

    func apply(to transaction: inout WriteTransaction) throws(SQLiteError) -> CommandOutcome? {
        var row = moderators
        ModeratorStandingTable.stamp(&row, over: nil, transaction.nextSeq)
        row.key = try ModeratorStandingTable.insert(row, in: transaction.connection)
        let former = ModeratorStanding(showing: club)
        let difference = row.difference(from: former)
        return try transaction.record(
            row, .updated, scope: ModeratorStandingTable.scope(of: row), value: row.encoded(),
            before: difference?.before ?? former.onlyVersion, changed: difference?.changed ?? [])
    }
}

extension ModeratorStanding {
    /// The members that change with each version, as the log stores them.
    fileprivate var onlyVersion: [UInt8] {
        JSONWriter.object { json in
            json.member("version", version)
            json.member("updatedAt", ifAny: updatedAt)
        }
    }
}
