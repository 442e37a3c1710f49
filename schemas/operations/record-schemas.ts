import { z } from 'zod'
import { AgentProfileShape } from '../directory/shapes.ts'
import { DisputeFileShape } from '../disputes/file.ts'
import { FundingReceiptShape } from '../receipts/funding.ts'
import { AnyWorkReceiptShape } from '../receipts/run.ts'
import { BadgeShape } from '../reputation/shapes.ts'

const SHAPES = {
  'agent-badge-v1': BadgeShape,
  'agent-profile-v1': AgentProfileShape,
  'dispute-file-v1': DisputeFileShape,
  'funding-receipt-v1': FundingReceiptShape,
  'work-receipt-v1': AnyWorkReceiptShape,
} as const

type Node = Record<string, unknown>

/** Puts every shared definition in its place, so that a schema can be embedded anywhere. */
const inlineDefinitions = ({ $defs = {}, ...root }: { $defs?: Node }): Node => {
  const definitions: Node = { ...$defs }
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline)
    if (value === null || typeof value !== 'object') return value
    const { $ref, ...members } = value as Node
    // A text `id` is the name of a definition; a member of that name is an object.
    const entries = Object.entries(members).filter(([name, member]) => name !== 'id' || typeof member !== 'string')
    const own = Object.fromEntries(entries.map(([name, member]) => [name, inline(member)]))
    return typeof $ref === 'string' ? { ...(inline(definitions[$ref.replace('#/$defs/', '')]) as Node), ...own } : own
  }
  return inline(root) as Node
}

/** Published schema of each kind of signed document, by name. The input side: what a document must have and may not have. */
export const RECORD_SCHEMAS: ReadonlyMap<string, Record<string, unknown>> = new Map(
  Object.entries(SHAPES).map(([name, shape]) => {
    const { $schema, ...schema } = inlineDefinitions(z.toJSONSchema(shape, { io: 'input', target: 'draft-2020-12' }))
    return [name, { $schema, $id: `schema://records/${name}`, ...schema }]
  }),
)

/** Rows of `GET /schemas/records`. */
export const listRecordSchemas = () =>
  [...RECORD_SCHEMAS].map(([name, { $id, description }]) => ({
    $id: String($id),
    description: String(description),
    path: `/schemas/records/${name}.json`,
  }))
