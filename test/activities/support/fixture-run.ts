import { createVerifierHandlers } from '../../../activities/verification/registry.ts'
import { jobSchemaByRef } from '../../../schemas/catalogue/job-schemas/registry.ts'
import type { VerifierMode } from '../../../schemas/catalogue/job-terms.ts'
import { createFixtureSources, FIXTURE_CLAIMANT, type VerifierFixture } from '../verification/fixtures/fixture.ts'

/** What the handler of a mode says of a fixture, in the fixture's sources or in another one. */
export const evaluate = (mode: VerifierMode, fixture: VerifierFixture, sources = createFixtureSources(fixture.sources)) => {
  const { config, expectedOutputs = [], outputSchemaRef, submission, definition } = fixture
  const handler = createVerifierHandlers(sources).get(mode)
  if (handler === undefined) throw new Error(`no handler ${mode}`)
  return handler.evaluate({
    ...FIXTURE_CLAIMANT,
    config,
    expectedOutputs,
    definition: { verifierMode: config.handler, ...definition },
    outputSchema: jobSchemaByRef(outputSchemaRef) ?? null,
    submission,
    knownRepository: null,
    attemptKey: 'run/1',
  })
}
