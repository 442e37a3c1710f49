import { subject } from '../subject.ts'

export const outbound = subject({ name: 'outbound', kind: 'technical', buildsOn: ['common'] })
