const artefact = <const Format extends string>(name: string, bytes: number, format: Format) => ({
  sha256: 'a'.repeat(64),
  bytes,
  locator: { kind: 'https', url: `https://files.example/${name}` } as const,
  format,
})

/** Valid target and inputs of each profile. */
export const GIT_PATCH = {
  target: { repository: 'https://codehost.example/acme/widgets', commit: '1'.repeat(40) },
  inputs: {
    gitBundle: artefact('base.bundle', 4_096, 'git-bundle'),
    patch: artefact('fix.patch', 512, 'git-patch'),
    testCommand: ['npm', 'test'],
  },
}

export const MCP_FAILURE = { target: { endpoint: 'https://mcp.example/mcp', transport: 'streamable_http' }, inputs: {} } as const

export const STRUCTURED_OUTPUT = {
  target: {},
  inputs: {
    output: artefact('o.json', 2, 'json'),
    schema: artefact('s.json', 2, 'json-schema'),
    sources: [artefact('a.txt', 100, 'text')],
  },
}

/** Body of a quote for a profile that needs no file. */
export const QUOTED_RUN = { profile: 'mcp-failure-semantics-v1', profileVersion: 1, ...MCP_FAILURE }
