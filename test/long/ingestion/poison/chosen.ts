import { readFileSync } from 'node:fs'
import { PROVIDERS, type Provider } from '../../../../schemas/ingestion/providers.ts'
import type { PoisonedText } from './outsider.ts'

interface Draft {
  name: string
  rule: string
  definition: Record<string, unknown>
}
const readDrafts = (name: string): Draft[] =>
  JSON.parse(readFileSync(new URL(`../../../domain/postings/lists/${name}.json`, import.meta.url), 'utf8'))

/** Rules of a whole definition, of addresses, and of characters that the clients of sources take out. */
const OTHER_RULES = new Set([
  'text_too_long',
  'too_many_entries',
  'too_deep',
  'url_scheme',
  'control_character',
  'invisible_character',
  'direction_override',
  'unreadable_character',
])
/** Number of texts by source. */
const COUNTS: Record<Provider, number> = { github: 36, wikipedia: 22, osv: 23, 'open-data': 23, openapi: 23, standards: 23 }
const LONGEST_TITLE = 290
const LONGEST_BODY = 1_900

/** The text of a draft that the name repeats in its beginning; null where it is none of its own. */
const textOf = ({ name, definition }: Draft): string | null => {
  const start = name.slice(name.indexOf(': ') + 2).slice(0, 30)
  const { title, description, agentInstructions, acceptanceCriteria } = definition
  const texts = [title, description, agentInstructions, acceptanceCriteria].flat().filter((text) => typeof text === 'string')
  return texts.find((text) => text.includes(start)) ?? null
}

const isTitle = (text: string): boolean => text.length <= LONGEST_TITLE && !text.includes('\n')
/** Whether an encyclopedia can have a page of this name. */
const isPageName = (text: string): boolean => !/[#<>[\]{}|]/.test(text) && Buffer.byteLength(text) <= 250

const fits = (provider: Provider, text: string): boolean => {
  if (provider === 'github') return text.length <= LONGEST_BODY
  return isTitle(text) && (provider !== 'wikipedia' || isPageName(text))
}

/** Drafts in turns by their rules, so that each rule is among the first. */
const byTurns = (drafts: readonly Draft[]): Draft[] => {
  const turns = new Map<string, number>()
  const placed = drafts.map((draft) => {
    const turn = turns.get(draft.rule) ?? 0
    turns.set(draft.rule, turn + 1)
    return { draft, turn }
  })
  return placed.sort((left, right) => left.turn - right.turn).map(({ draft }) => draft)
}

/** Texts of the lists of poisoned listings, placed in the sources: 150 of them. */
export const chosenTexts = (): PoisonedText[] => {
  const drafts = byTurns(readDrafts('poisoned').filter(({ rule }) => !OTHER_RULES.has(rule)))
  const open = drafts.flatMap((draft) => {
    const text = textOf(draft)
    return text === null ? [] : [{ text, kind: draft.rule }]
  })
  const left = new Map<Provider, number>(PROVIDERS.map((provider) => [provider, COUNTS[provider]]))
  const used = new Set<string>()
  return open.flatMap(({ text, kind }, place): PoisonedText[] => {
    const provider = PROVIDERS.map((_, index) => PROVIDERS[(place + index) % PROVIDERS.length] as Provider).find(
      (one) => (left.get(one) ?? 0) > 0 && fits(one, text),
    )
    if (provider === undefined || used.has(text)) return []
    used.add(text)
    left.set(provider, (left.get(provider) ?? 0) - 1)
    return [{ provider, where: provider === 'github' ? 'body' : 'title', text, kind }]
  })
}
