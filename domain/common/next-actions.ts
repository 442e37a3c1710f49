import { ERRORS, type ErrorCode, type NextAction } from '../../schemas/errors.ts'

const PLACEHOLDER = /\{(\w+)\}/g

/** Path with its `{name}` placeholders filled; null where a fact is missing. */
const filledPath = (path: string, facts: Readonly<Record<string, unknown>>): string | null => {
  const names = [...path.matchAll(PLACEHOLDER)].map(([, name = '']) => name)
  if (names.some((name) => typeof facts[name] !== 'string')) return null
  return path.replaceAll(PLACEHOLDER, (_whole, name: string) => encodeURIComponent(String(facts[name])))
}

/** Next actions of a code by the error table. `details` of the occurrence fill the paths; an action that lacks a fact is left out. */
export const defaultNextActions = (code: ErrorCode, details: Readonly<Record<string, unknown>> = {}): NextAction[] =>
  ERRORS[code].nextActions.flatMap((action) => {
    if (action.path === undefined) return [{ ...action }]
    const path = filledPath(action.path, details)
    return path === null ? [] : [{ ...action, path }]
  })
