// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

/// @notice Types, events and errors of the job state machine.
abstract contract EscrowTypes {
    enum JobState {
        None,
        Open,
        Claimed,
        Submitted,
        Rejected,
        Disputed,
        Closed,
        Cancelled
    }

    enum PayoutMode {
        Single,
        Milestone
    }

    struct ExternalSchemaRegistration {
        bytes32 schemaHash;
        string schemaUrl;
        address schemaIssuer;
        bytes schemaSignature;
    }

    struct RecurringSinglePayoutJob {
        bytes32 jobId;
        bytes32 templateId;
        address poster;
        address asset;
        uint256 reward;
        uint256 opsReserve;
        uint256 contingencyReserve;
        uint256 claimTtl;
        bytes32 verifierMode;
        bytes32 category;
        bytes32 specHash;
        bytes32 schemaHash;
        string schemaUrl;
        address schemaIssuer;
        bytes schemaSignature;
        bool protocolFeeWaived;
    }

    struct JobEscrow {
        address poster;
        address worker;
        address asset;
        bytes32 verifierMode;
        bytes32 category;
        bytes32 specHash;
        uint256 reward;
        uint256 opsReserve;
        uint256 contingencyReserve;
        uint256 released;
        uint256 claimExpiry;
        uint256 claimStake;
        uint16 claimStakeBps;
        uint256 claimFee;
        uint16 claimFeeBps;
        bool claimEconomicsWaived;
        address rejectingVerifier;
        uint256 rejectedAt;
        uint256 disputedAt;
        PayoutMode payoutMode;
        JobState state;
        uint256 protocolFee;
        uint256 protocolFeeReleased;
        uint16 protocolFeeBps;
        bool protocolFeeWaived;
    }

    event JobFunded(
        bytes32 indexed jobId,
        address indexed poster,
        address indexed asset,
        uint256 totalReserved,
        PayoutMode payoutMode
    );
    event JobCreated(
        bytes32 indexed jobId,
        address indexed poster,
        bytes32 indexed specHash,
        address asset,
        uint256 totalReserved,
        PayoutMode payoutMode
    );
    event RecurringJobFundedFromTemplate(
        bytes32 indexed jobId,
        bytes32 indexed templateId,
        address indexed poster,
        address asset,
        uint256 totalReserved
    );
    event ExternalSchemaRegistered(
        bytes32 indexed jobId, bytes32 indexed schemaHash, address indexed schemaIssuer, string schemaUrl
    );
    event OnboardingWaiverEligibilityUpdated(bytes32 indexed jobId, bool eligible);
    event JobClaimed(bytes32 indexed jobId, address indexed worker, uint256 claimExpiry, uint256 claimStake);
    event ClaimRetentionSnapshot(
        bytes32 indexed jobId,
        address indexed worker,
        bool brokered,
        bool waived,
        uint256 retentionFlatRaw,
        uint16 retentionCapBps
    );
    event ClaimEconomicsLocked(
        bytes32 indexed jobId,
        address indexed worker,
        uint256 claimStake,
        uint256 claimFee,
        bool waived,
        uint256 claimNumber
    );
    event WorkSubmitted(bytes32 indexed jobId, address indexed worker, bytes32 evidenceHash);
    event Submitted(bytes32 indexed jobId, address indexed worker, bytes32 indexed payloadHash);
    event JobReopened(bytes32 indexed jobId);
    event JobCancelled(bytes32 indexed jobId, address indexed poster, uint256 refundedRaw);
    event Verified(
        bytes32 indexed jobId, address indexed verifier, bool approved, bytes32 reasonCode, bytes32 reasoningHash
    );
    event SettlementSplit(
        bytes32 indexed jobId,
        address indexed worker,
        address indexed treasuryAccount,
        address asset,
        uint256 workerAmount,
        uint256 protocolFeeAmount,
        uint16 protocolFeeBps
    );
    event GasRetentionApplied(
        bytes32 indexed jobId, address indexed worker, uint256 retainedRaw, uint256 rewardRaw
    );
    event JobRejected(bytes32 indexed jobId, bytes32 reasonCode);
    event DisputeOpened(bytes32 indexed jobId, address indexed opener, uint256 disputedAt);
    event DisputeResolved(
        bytes32 indexed jobId,
        address indexed arbitrator,
        uint256 workerPayout,
        bytes32 reasonCode,
        string metadataURI
    );
    event AutoResolvedOnTimeout(
        bytes32 indexed jobId, address indexed caller, uint256 workerPayout, bytes32 reasonCode
    );
    event JobClosed(bytes32 indexed jobId, address indexed worker, uint256 releasedAmount);

    error Unauthorized();
    error ProtocolPaused();
    error InvalidState();
    error UnknownJob();
    error ZeroAmount();
    error MilestoneLimitExceeded();
    error InvalidSchemaSignature();
    error UnauthorizedSchemaIssuer(address issuer);
}
