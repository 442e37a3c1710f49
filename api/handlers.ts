import { loadSubjects, mergeSubjects } from '../activities/common/subjects.ts'
import type { ApiDeps } from './deps.ts'
import type { AnyHandler, HandlerMap } from './http/calls.ts'

/** `handlers.ts` of a subject, and its other files whose names end so. */
const HANDLERS_FILE = /^(?:[a-z-]+-)?handlers\.ts$/
/** Factories that it exports. Their types name the operations of a file, so a missing handler does not type-check. */
const FACTORY = /^create\w+Handlers$/

/** Handlers of every subject by operation. Throws when two subjects answer one operation. */
export const createHandlers = async (deps: ApiDeps): Promise<HandlerMap> => {
  const files = await loadSubjects<Record<string, (deps: ApiDeps) => object>>(new URL('.', import.meta.url), HANDLERS_FILE)
  const parts = files.flatMap(({ subject, module }) => {
    const factories = Object.entries(module).filter(([name]) => FACTORY.test(name))
    if (factories.length === 0) throw new Error(`a file of handlers in api/${subject} exports no create…Handlers`)
    return factories.map(([, create]) => ({ subject, module: create(deps) }))
  })
  return mergeSubjects<AnyHandler>('handler', parts)
}
