"""The chapters of the tour, in order. Each stores in `tour.at` the values that later ones need."""

from . import clubs, endings, faults, library, meetings, notes, own, people, requests, schedules, settings, shelves, story, watching

CHAPTERS = [
    people.come, library.catalogue, library.readings, shelves.keep, clubs.found, clubs.join, shelves.share, schedules.books, schedules.milestones, schedules.standings,
    schedules.shares, meetings.call, meetings.calendars, notes.gates, notes.threads, requests.ask, requests.remove, own.make, own.send, settings.say, settings.keep, settings.be,
    story.editions, story.places, story.knowledge, story.runs, story.notes, story.pace, story.pupils, watching.resume,
    watching.names, watching.polls, faults.each_route, faults.bodies, faults.wire, endings.archive, endings.leave, endings.limits, endings.delete, endings.revoke,
]
