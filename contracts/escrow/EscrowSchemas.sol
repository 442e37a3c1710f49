// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {Signatures} from "../lib/Signatures.sol";
import {EscrowBase} from "./EscrowBase.sol";

/// @notice External result schemas, registered with the signature of a trusted issuer.
abstract contract EscrowSchemas is EscrowBase {
    bytes32 public constant EXTERNAL_SCHEMA_REGISTRATION_TYPEHASH =
        keccak256("ExternalSchemaRegistration(bytes32 schemaHash,string schemaUrl,bytes32 jobId)");

    mapping(bytes32 jobId => ExternalSchemaRegistration) public jobExternalSchemas;

    /// @notice EIP-712 domain of this contract on the live chain.
    function externalSchemaDomainSeparator() public view returns (bytes32) {
        return Signatures.domainSeparator(keccak256("Service EscrowCore"), keccak256("1"));
    }

    /// @notice The digest that a schema issuer signs for one job.
    function hashExternalSchemaRegistration(bytes32 schemaHash, string memory schemaUrl, bytes32 jobId)
        public
        view
        returns (bytes32)
    {
        return Signatures.typedDigest(
            externalSchemaDomainSeparator(),
            keccak256(
                abi.encode(EXTERNAL_SCHEMA_REGISTRATION_TYPEHASH, schemaHash, keccak256(bytes(schemaUrl)), jobId)
            )
        );
    }

    /// @dev All four parts or none of them.
    function _registerSchema(bytes32 jobId, ExternalSchemaRegistration memory schema) internal {
        uint256 parts;
        if (schema.schemaHash != bytes32(0)) parts++;
        if (bytes(schema.schemaUrl).length != 0) parts++;
        if (schema.schemaIssuer != address(0)) parts++;
        if (schema.schemaSignature.length != 0) parts++;
        if (parts == 0) return;
        bytes32 digest = hashExternalSchemaRegistration(schema.schemaHash, schema.schemaUrl, jobId);
        if (parts != 4 || Signatures.recover(digest, schema.schemaSignature) != schema.schemaIssuer) {
            revert InvalidSchemaSignature();
        }
        if (!policy.trustedSchemaIssuers(schema.schemaIssuer)) revert UnauthorizedSchemaIssuer(schema.schemaIssuer);
        jobExternalSchemas[jobId] = schema;
        emit ExternalSchemaRegistered(jobId, schema.schemaHash, schema.schemaIssuer, schema.schemaUrl);
    }
}
