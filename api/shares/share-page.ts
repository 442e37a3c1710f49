import type { z } from 'zod'
import { type Html, html } from '../../pages/html.ts'
import { codeWords, instant, rowTable } from '../../pages/parts.ts'
import { AgentProfileShape } from '../../schemas/directory/shapes.ts'
import type { SharedResource, ShareShape } from '../../schemas/shares/shapes.ts'
import { profileBody } from '../directory/profile-page.ts'
import { page } from '../http/pages/page.ts'
import { type Facts, type Wordings, wordedFacts } from './values.ts'
import { DISPUTE_FACT_WORDS, DISPUTE_WORDS, POLICY_WORDS, SESSION_FACT_WORDS, SESSION_WORDS } from './words.ts'

const TITLES: Readonly<Record<SharedResource['kind'], string>> = {
  agent_profile: 'Shared profile',
  session_audit_trail: 'Shared session',
  dispute_snapshot: 'Shared dispute',
  policy_snapshot: 'Shared policy',
}

const factsOf = (value: unknown): Facts => (typeof value === 'object' && value !== null ? (value as Facts) : {})

/** Symbol of the asset of amounts that name none. */
const assetOf = (name: unknown): string => (typeof name === 'string' ? name : '')

/** The entries of a history. `event` is the member that names what happened. */
const timeline = (entries: readonly Facts[], event: 'topic' | 'action', wordings: Wordings<string>, asset: string): Html =>
  html`<h2>Timeline</h2>
${rowTable(
  'Timeline',
  ['When', 'What happened', 'More'],
  entries.map(({ at, [event]: what, data }) => [
    typeof at === 'string' ? instant(at) : '–',
    typeof what === 'string' ? codeWords(what) : '–',
    wordedFacts(factsOf(data), wordings, asset),
  ]),
  'Nothing happened yet.',
)}`

const bodyOf = (resource: SharedResource): Html => {
  switch (resource.kind) {
    case 'agent_profile':
      return profileBody(AgentProfileShape.parse(resource.profile))
    case 'session_audit_trail': {
      const asset = assetOf(factsOf(resource.session.badgeSnapshot).rewardAsset)
      return html`${wordedFacts(resource.session, SESSION_WORDS, asset)}${timeline(resource.timeline, 'topic', SESSION_FACT_WORDS, asset)}`
    }
    case 'dispute_snapshot': {
      const { timeline: entries, ...dispute } = resource.dispute
      const asset = assetOf(dispute.asset)
      return html`${wordedFacts(dispute, DISPUTE_WORDS, asset)}${timeline(entries as readonly Facts[], 'action', DISPUTE_FACT_WORDS, asset)}`
    }
    case 'policy_snapshot': {
      const { policy } = resource
      return html`${wordedFacts(policy, POLICY_WORDS, '')}<h2>History</h2>
${rowTable(
  'History',
  ['Revision', 'When', 'What changed'],
  policy.history.map(({ revision, at, note }) => [revision, instant(at), note]),
  'The first text is in force.',
)}`
    }
  }
}

/** Page of a share. */
export const sharePage = ({ snapshotAt, expiresAt }: z.input<typeof ShareShape>, resource: SharedResource): string =>
  page(
    { title: TITLES[resource.kind], lead: 'A read-only copy of a record of this service.' },
    html`${bodyOf(resource)}<p class="soft">Copy of ${instant(snapshotAt)}; this address works until ${instant(expiresAt)}.</p>`,
  )
