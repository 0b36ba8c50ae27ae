// A club's open reports of notes and shelves, for its moderators.
import {h} from '../shared/dom.js';
import {request} from '../shared/api.js';
import {when} from '../shared/format.js';
import {field, lines} from '../shared/parts.js';
import {clubs as say} from '../text/clubs.js';
import {section} from './section.js';

/** @type {ClubPart} */
export function reporting({state, members, reports}) {
  const nameOf = (/** @type {string | null} */ id) => members.find(member => member.reader === id)?.name ?? say.nobody;
  return reports.length > 0 && section('reports', say.openReports(reports.length), lines(reports.map(one => {
    const {id, about, subject, author, reporter, reason, text, copy, createdAt} = one;
    const title = say.reportOf(say.reportReasons[reason], nameOf(author));
    const decide = (/** @type {string} */ outcome) => state.asking(say.outcomes[outcome], {title: say.outcomes[outcome],
      text: say.decideHint, more: () => field('remark', say.remark, h('textarea', {name: 'remark', maxlength: 2000})),
      run: ({remark}) => request('PATCH', `/v1/reports/${id}`, {outcome, remark}),
    }, {class: '', 'aria-label': `${say.outcomes[outcome]}: ${title}`});
    return h('li', {key: id},
      h('p', null, h('a', {href: `/${about}s/${subject}`.replace('shelfs', 'shelves')}, title)),
      copy ? h('blockquote', null, h('p', null, copy)) : h('p', {class: 'soft'}, say.copyHidden),
      h('p', {class: 'soft'}, say.reportedBy(nameOf(reporter), when(createdAt)), text && [': ', h('q', null, text)]),
      h('div', {class: 'row'}, decide('acted'), decide('dismissed')));
  })));
}
