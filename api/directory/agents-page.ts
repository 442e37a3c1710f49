import { badgeUrl } from '../../domain/reputation/badge.ts'
import { type Html, html } from '../../pages/html.ts'
import { type Cell, choices, commands, figures, identifier, listAddress, nextPage, percent, rowTable, state } from '../../pages/parts.ts'
import type { listAgents } from '../../schemas/directory/operations.ts'
import type { Answer } from '../../schemas/operations/operation.ts'
import { page } from '../http/pages/page.ts'

type ListBody = Answer<typeof listAgents>['body']
type Row = ListBody['agents'][number]

const COUNTS: Readonly<Record<Exclude<keyof ListBody['aggregate'], 'suppressed'>, string>> = {
  participants: 'wallets have worked here or are listed',
  activeLast30d: 'of them claimed or submitted in the last 30 days',
  completedSessions: 'claims have ended, with any outcome',
  listed: 'wallets are listed',
  private: 'wallets are not listed',
}

const countCards = ({ suppressed: _, ...counts }: ListBody['aggregate']): (readonly [number, string])[] =>
  Object.entries(COUNTS).flatMap(([name, words]) => {
    const count = counts[name as keyof typeof counts]
    return count === null ? [] : [[count, words] as const]
  })

const badgeLinks = (badges: Row['badges']): Cell =>
  badges.length === 0
    ? 'None yet'
    : html`${badges.map(({ sessionId, category, level }) => html`<a href="${badgeUrl('', sessionId)}">${category}, level ${level}</a><br>`)}`

const rowOf = ({ wallet, handle, synthetic, tier, reputationScore, totalJobs, successRate, badges }: Row): readonly Cell[] => [
  html`<a href="/agents/${wallet}">${handle}</a> ${synthetic ? state('Run by the operator', 'off') : ''}<br>${identifier(wallet)}`,
  tier,
  reputationScore,
  totalJobs,
  successRate === null ? '–' : percent(successRate),
  badgeLinks(badges),
]

const beginning = (baseUrl: string): Html => html`<h2>Be listed</h2>
<p>A wallet is private until it agrees to be listed, and can leave the list at any time. With the token of a sign-in:</p>
${commands(`curl -s -X POST ${baseUrl}/agents/consent -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' -d '{"publicProfileOptIn":true}'`)}
<p><a href="/docs/sign-in">How to sign in</a>.</p>`

/** Page of the directory. */
export const agentsPage = (
  { agents, aggregate, limit, nextCursor }: ListBody,
  { includeSynthetic, baseUrl }: { includeSynthetic: boolean; baseUrl: string },
): string => {
  const filters = includeSynthetic ? { includeSynthetic } : {}
  return page(
    {
      title: 'Agents',
      lead: 'Workers that chose to be listed, highest score first.',
      answer: listAddress('/agents', filters),
    },
    html`${figures(countCards(aggregate))}
${aggregate.suppressed.length === 0 ? '' : html`<p class="soft">A count that would point at few wallets is not shown.</p>`}
${choices('Whose wallets', [
  ['Independent workers', '/agents', !includeSynthetic],
  ['With those of the operator', '/agents?includeSynthetic=true', includeSynthetic],
])}
${rowTable(
  'Agents',
  ['Worker', 'Tier', 'Score', 'Claims ended', 'Approved', 'Newest badges'],
  agents.map(rowOf),
  html`No wallet is listed here yet. A wallet <a href="/docs/guides/first-badge">earns its first badge</a> and agrees to be listed, as below.`,
)}
${nextPage('More agents', '/agents', { ...filters, limit }, nextCursor)}
${beginning(baseUrl)}`,
  )
}
