import { z } from 'zod'
import { sentenceOf } from '../operations/field-errors.ts'
import { oneMemberOf } from '../operations/values.ts'
import { INPUTS } from './inputs.ts'
import type { Provider } from './providers.ts'
import { COMMON_INPUT } from './shapes.ts'

/** What a run is asked for, without the own members of its source. */
export interface CommonInput {
  dryRun: boolean
  limit: number
  minScore: number
}

const isCommon = (name: string): boolean => name in COMMON_INPUT

/** Own members of a source in the body of its route, or in what its schedule runs with. */
export const ownMembers = (body: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !isCommon(name)))

/** Own members of a source after their defaults; undefined for members that its schema refuses. */
export const parseOwnInput = (provider: Provider, input: unknown) => {
  const schema: z.ZodType<Record<string, unknown>> = INPUTS[provider]
  return schema.safeParse(input, { error: sentenceOf })
}

/** What the documents state of the rules over several own members. */
const RULES: Readonly<Partial<Record<Provider, Record<string, unknown>>>> = {
  wikipedia: { not: { required: ['language'], properties: { language: { not: { const: 'en' } }, categories: { not: {} } } } },
  osv: { not: { properties: { packages: { maxItems: 0 }, manifests: { maxItems: 0 } } } },
  'open-data': oneMemberOf('datasets', 'query'),
}

/** Body of the route of a source: its own members and those of every run. Rules over several own members hold too. */
export const ingestBody = <Name extends Provider>(provider: Name) =>
  z
    .strictObject({ ...INPUTS[provider].shape, ...COMMON_INPUT })
    .superRefine((body, context) => {
      const { error } = parseOwnInput(provider, ownMembers(body))
      // The members themselves are checked above.
      for (const { code, path, message } of error?.issues ?? []) if (code === 'custom') context.addIssue({ code, path, message })
    })
    .meta(RULES[provider] ?? {})
