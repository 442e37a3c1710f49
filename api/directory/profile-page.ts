import { agentHandle } from '../../domain/directory/handle.ts'
import { type Html, html } from '../../pages/html.ts'
import { factTable, identifier, instant, percent, rowTable } from '../../pages/parts.ts'
import type { AgentProfile } from '../../schemas/directory/shapes.ts'
import { money } from '../http/pages/money.ts'
import { page } from '../http/pages/page.ts'

const OPERATOR_RUN = html`<p><strong>Run by the operator of this service; not an independent worker.</strong></p>`

/** What a profile says, below its heading. */
export const profileBody = (profile: AgentProfile): Html => {
  const { wallet, nativeAccount, reputation, stats, currentActivity, badges, disputes, synthetic, fetchedAt } = profile
  const earned = money(stats.totalEarned)
  return html`<p>${identifier(wallet)}</p>
${synthetic ? OPERATOR_RUN : ''}
${factTable([
  ['Native account', nativeAccount && identifier(nativeAccount.ss58)],
  ['Tier', reputation.tier],
  ['Skill', reputation.skill],
  ['Reliability', reputation.reliability],
  ['Economic', reputation.economic],
  ['Approved', stats.approvedCount],
  ['Rejected', stats.rejectedCount],
  ['Approved share', stats.completionRate === null ? null : percent(stats.completionRate)],
  ['Earned', stats.totalEarned.incomplete ? `${earned} (${stats.totalEarned.omittedApprovedCount} sessions left out)` : earned],
  ['Active since', stats.activeSince && instant(stats.activeSince)],
  ['Last active', stats.lastActive && instant(stats.lastActive)],
  ['At work', currentActivity && `${currentActivity.label} (${currentActivity.status})`],
])}
<h2>Badges</h2>
${rowTable(
  'Badges',
  ['Job', 'Category', 'Level', 'Completed'],
  badges.map(({ jobId, category, level, completedAt, badgeUrl }) => [
    badgeUrl === undefined ? jobId : html`<a href="${badgeUrl}">${jobId}</a>`,
    category,
    level,
    instant(completedAt),
  ]),
  'No badge yet.',
)}
<h2>Disputes</h2>
${rowTable(
  'Disputes',
  ['Opened', 'Status', 'Outcome'],
  disputes.map(({ openedAt, status, outcome }) => [instant(openedAt), status, outcome ?? '–']),
  'No dispute.',
)}
<p class="soft">Read ${instant(fetchedAt)}.</p>`
}

/** Page of a profile. */
export const profilePage = (profile: AgentProfile, baseUrl: string): string => {
  const answer = `/agents/${profile.wallet}`
  return page({ title: agentHandle(profile.wallet), answer, address: baseUrl + answer }, profileBody(profile))
}
