import type { z } from 'zod'
import type { SharedResource, ShareShape } from '../../schemas/shares/shapes.ts'
import { type Html, html } from '../http/pages/html.ts'
import { page } from '../http/pages/page.ts'
import { factTable, instant, rowTable } from '../http/pages/parts.ts'

type Facts = Readonly<Record<string, unknown>>

const TITLES: Readonly<Record<SharedResource['kind'], string>> = {
  agent_profile: 'Shared profile',
  session_audit_trail: 'Shared session',
  dispute_snapshot: 'Shared dispute',
  policy_snapshot: 'Shared policy',
}

const cellOf = (value: unknown): string | Html => (typeof value === 'object' ? html`<code>${JSON.stringify(value)}</code>` : String(value))

const factsOf = (facts: Facts): Html =>
  factTable(Object.entries(facts).map(([name, value]) => [name, value === null || value === undefined ? null : cellOf(value)]))

const timelineOf = (entries: readonly Facts[], name: 'topic' | 'action'): Html => html`<h2>Timeline</h2>
${rowTable(
  'Timeline',
  ['At', 'Event', 'Facts'],
  entries.map(({ at, [name]: event, data }) => [cellOf(at), cellOf(event), cellOf(data)]),
  'Nothing happened yet.',
)}`

const bodyOf = (resource: SharedResource): Html => {
  switch (resource.kind) {
    case 'agent_profile':
      return factsOf(resource.profile)
    case 'session_audit_trail':
      return html`${factsOf(resource.session)}${timelineOf(resource.timeline, 'topic')}`
    case 'dispute_snapshot': {
      const { timeline, ...dispute } = resource.dispute
      return html`${factsOf(dispute)}${timelineOf(timeline as readonly Facts[], 'action')}`
    }
    case 'policy_snapshot':
      return factsOf(resource.policy)
  }
}

/** Page of a share. */
export const sharePage = ({ snapshotAt, expiresAt }: z.input<typeof ShareShape>, resource: SharedResource): string =>
  page(
    { title: TITLES[resource.kind] },
    html`${bodyOf(resource)}<p class="soft">Copy of ${instant(snapshotAt)}; this address works until ${instant(expiresAt)}.</p>`,
  )
