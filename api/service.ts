import packageFile from '../package.json' with { type: 'json' }

/** Name and version of the service for programs, the same in every document, in the tool server and in `GET /health`. */
export const { name: SERVICE_NAME, version: SERVICE_VERSION } = packageFile
