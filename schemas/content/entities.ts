import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../entities/columns.ts'

/** A blob under the SHA-256 of its canonical JSON, one row per owner: an owner cannot detect that another owner stored the same content. */
export const Content = defineEntity({
  name: 'Content',
  tableName: 'content',
  primaryKeys: ['hash', 'owner'],
  properties: {
    hash: p.text().primary(),
    owner: p.text().primary(),
    contentType: p.text(),
    payload: p.json<Record<string, unknown>>(),
    verdict: p.text().$type<'pass' | 'fail'>().nullable(),
    createdAt: instant(),
    publishedAt: instant().nullable(),
  },
})
