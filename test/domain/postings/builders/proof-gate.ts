import type { JsonValue, VerificationProfileConfig } from '../../../../schemas/catalogue/job-definition.ts'
import type { FreezeInputs, TestContract } from '../../../../schemas/paid-verification/profiles/freeze.ts'

const COMMIT = 'c'.repeat(40)

/** Inputs of a contract, of a repository that no test fetches. */
const freezeInputs = (changes: Partial<FreezeInputs> = {}): FreezeInputs => ({
  repository: 'https://example.com/sum.git',
  commit: COMMIT,
  gitBundle: {
    ...{ sha256: 'b'.repeat(64), bytes: 1_000, format: 'git-bundle' },
    locator: { kind: 'https', url: 'https://files.example.com/sum.bundle' },
  },
  testCommand: ['node', '--test', 'test/sum.test.js'],
  ...changes,
})

/** Members of a posting that a profile judges. */
export const profilePosting = (changes: Partial<FreezeInputs> = {}) => ({
  verifierMode: 'verification_profile',
  verifierTerms: undefined,
  verifierConfig: { profileRef: 'git-patch-tests-v1@1', inputs: freezeInputs(changes) },
})

/** A contract of such inputs. */
export const frozenContract = (contractDigest = 'd'.repeat(64)): TestContract => ({
  contractState: 'frozen',
  contractDigestAlgorithm: 'sha-256',
  contractDigest,
  terms: {
    version: 1,
    repository: 'https://example.com/sum.git',
    commit: COMMIT,
    bundleSha256: 'b'.repeat(64),
    ...{
      options: [],
      files: ['test/sum.test.js'],
      workingDirectory: '.',
      allowedPaths: null,
      protectedPaths: [],
      maximumChangedFiles: 100,
    },
    mockedSystems: [],
    targetedTests: ['test/sum.test.js > sum > adds'],
    regressionTests: ['test/sum.test.js > zero is neutral', 'test/sum.test.js > names'],
    ...{ skippedTests: [], privateChecks: [], assuranceLevel: 2, network: 'none', repetitions: 2 },
  },
})

/** Config of a job that a profile judges under such a contract. */
export const profileConfig = (): VerificationProfileConfig => ({
  handler: 'verification_profile',
  version: 1,
  profileRef: 'git-patch-tests-v1@1',
  profileDigest: `0x${'a'.repeat(64)}`,
  inputs: freezeInputs() as unknown as Record<string, JsonValue>,
  inputsHash: `0x${'e'.repeat(64)}`,
  contract: {
    contractState: 'frozen',
    contractDigestAlgorithm: 'sha-256',
    contractDigest: 'd'.repeat(64),
    targetedTests: 1,
    regressionTests: 2,
  },
})
