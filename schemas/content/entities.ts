import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../entities/columns.ts'
import type { ContentType, ContentVerdict, DisclosureState } from './record.ts'

/** A blob under the SHA-256 of its canonical JSON, one row per owner: an owner cannot detect that another owner stored the same content. */
export const Content = defineEntity({
  name: 'Content',
  properties: {
    hash: p.text().primary(),
    owner: p.text().primary(),
    contentType: p.text().$type<ContentType>(),
    payload: p.json<Record<string, unknown>>(),
    verdict: p.text().$type<ContentVerdict>().nullable(),
    createdAt: instant(),
    publishedAt: instant().nullable(),
    /** Request that published the blob early; null for one that a rule published. */
    publishedBy: p.text().nullable(),
    /** Chain event of an early publication; null without one. */
    disclosure: p.text().$type<DisclosureState>().nullable(),
    disclosureTxHash: p.text().nullable(),
  },
})
