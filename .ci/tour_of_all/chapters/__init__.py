"""What the tour does, in this order. Each chapter leaves in `tour.at` what those after it need."""

from . import clubs, endings, faults, library, meetings, notes, people, requests, schedules, watching

CHAPTERS = [
    people.come, library.catalogue, library.readings, clubs.found, clubs.join, schedules.books, schedules.milestones, schedules.standings,
    schedules.shares, meetings.call, meetings.calendars, notes.gates, notes.threads, requests.ask, requests.remove, watching.resume,
    watching.tickets, watching.polls, faults.each_route, faults.bodies, faults.wire, endings.archive, endings.leave, endings.limits, endings.delete, endings.revoke,
]
