import { registerHooks } from 'node:module'

const SOURCES = new URL('../src/index.ts', import.meta.url).href

/** Lets programs of this checkout import the client by the name of its package, before it is built or installed. */
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'agent-work-client' ? SOURCES : specifier, context),
})
