/** The operator's own wallets (lower case): what each is, such as `canary`, and what shows it. */
export type OperatorIdentities = Readonly<Record<string, { kind: string; evidence?: string | undefined }>>
