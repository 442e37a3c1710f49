import { isStorable } from '../common/text.ts'

/** Pull requests that a webhook names; the API wakes their workflows. */
export interface NamedPullRequests {
  /** `owner/name`. */
  repo: string
  /** Numeric id of the repository; null when the body has none. */
  repoId: number | null
  numbers: number[]
  shas: string[]
}

/** Webhook events that can change a pull request. Source: http, "POST /codehost/events". */
export const WAKING_EVENTS: ReadonlySet<string> = new Set(['pull_request', 'pull_request_review', 'check_run', 'check_suite', 'status'])

/** Maximum number of pull requests read from one webhook. */
const MAX_NAMED = 50
const LARGEST_NUMBER = 999_999_999

const member = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((at, name) => (at !== null && typeof at === 'object' ? (at as Record<string, unknown>)[name] : undefined), value)

const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value <= LARGEST_NUMBER
const isSha = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{40,64}$/.test(value)

const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, MAX_NAMED) : [])

/** Pull requests in a webhook body, by number or head commit; null when it names no repository. */
export function namedPullRequests(body: unknown): NamedPullRequests | null {
  const repo = member(body, 'repository', 'full_name')
  if (typeof repo !== 'string' || repo.length > 201 || !isStorable(repo)) return null
  const checks = [...toList(member(body, 'check_run', 'pull_requests')), ...toList(member(body, 'check_suite', 'pull_requests'))]
  const numbers = [member(body, 'pull_request', 'number'), ...checks.map((pull) => member(pull, 'number'))].filter(isNumber)
  const shas = [member(body, 'check_run', 'head_sha'), member(body, 'check_suite', 'head_sha'), member(body, 'sha')].filter(isSha)
  const id = member(body, 'repository', 'id')
  return { repo, repoId: Number.isSafeInteger(id) ? Number(id) : null, numbers: [...new Set(numbers)], shas: [...new Set(shas)] }
}
