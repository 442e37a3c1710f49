// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {IAgentAccountCore, IReputationSBT, ITreasuryPolicy} from "../lib/Interfaces.sol";
import {ReentrancyLock} from "../lib/ReentrancyLock.sol";
import {EscrowTypes} from "./EscrowTypes.sol";

/// @notice Job storage, caller guards and the money steps that several transitions have in common.
abstract contract EscrowBase is EscrowTypes, ReentrancyLock {
    uint256 internal constant BPS = 10_000;

    uint256 public constant DISPUTE_WINDOW = 7 days;
    uint256 public constant ARBITRATOR_SLA = 14 days;
    uint256 public constant MIN_OPEN_FOR_CANCEL = 1 hours;
    uint256 public constant MAX_MILESTONES = 32;
    bytes32 public constant REASON_REJECTED = "REJECTED";
    bytes32 public constant REASON_DISPUTE_LOST = "DISPUTE_LOST";
    bytes32 public constant REASON_ARBITRATOR_TIMEOUT = "ARB_TIMEOUT";

    ITreasuryPolicy public immutable policy;
    IAgentAccountCore public immutable accounts;
    IReputationSBT public immutable reputation;
    address public treasuryAccount;

    mapping(bytes32 jobId => JobEscrow) internal _jobs;
    mapping(bytes32 jobId => uint256[]) public milestoneAmounts;
    mapping(bytes32 jobId => mapping(uint256 index => bool)) public milestoneReleased;
    mapping(bytes32 jobId => uint256) public createdAt;
    mapping(bytes32 jobId => uint256) public claimTtls;
    mapping(bytes32 jobId => bytes32) public latestEvidence;
    mapping(bytes32 jobId => bool) public onboardingWaiverEligibleJobs;
    mapping(bytes32 jobId => bool) public brokeredClaims;
    mapping(bytes32 jobId => uint256) public retentionFlatRawAtClaim;
    mapping(bytes32 jobId => uint16) public retentionCapBpsAtClaim;
    mapping(bytes32 jobId => mapping(bytes32 settlementId => bool)) public settlementExecuted;
    /// @notice Claims of a worker minus the timed-out ones; decides the onboarding waiver.
    mapping(address worker => uint256) public workerClaimCount;

    modifier whenNotPaused() {
        _requireNotPaused();
        _;
    }

    modifier onlyOperator() {
        _requireRole(policy.settlementBroker(msg.sender));
        _;
    }

    modifier onlyVerifier() {
        _requireRole(policy.verifiers(msg.sender));
        _;
    }

    modifier onlyArbitrator() {
        _requireRole(policy.arbitrators(msg.sender));
        _;
    }

    modifier onlyPolicyOwner() {
        _requireRole(msg.sender == policy.owner());
        _;
    }

    /// @notice The whole record of a job; state None when unknown.
    function jobs(bytes32 jobId) external view returns (JobEscrow memory) {
        return _jobs[jobId];
    }

    function _requireNotPaused() private view {
        if (policy.paused()) revert ProtocolPaused();
    }

    function _requireRole(bool granted) internal pure {
        if (!granted) revert Unauthorized();
    }

    function _requireState(bool expected) internal pure {
        if (!expected) revert InvalidState();
    }

    /// @dev A job in state Open; unknown ids have an error of their own here.
    function _openJob(bytes32 jobId) internal view returns (JobEscrow storage job) {
        job = _jobs[jobId];
        if (job.state == JobState.None) revert UnknownJob();
        _requireState(job.state == JobState.Open);
    }

    /// @dev Pays the worker and charges the fee leg of this payout. `job.released` already contains the payout.
    function _payWorker(bytes32 jobId, JobEscrow storage job, bytes32 settlementId, uint256 workerAmount) internal {
        _settle(job, settlementId, job.worker, workerAmount);
        uint256 feeLeg = _takeFeeLeg(job);
        if (feeLeg != 0) {
            _settle(job, keccak256(abi.encode(settlementId, bytes32("PROTOCOL_FEE"))), treasuryAccount, feeLeg);
        }
        emit SettlementSplit(
            jobId, job.worker, treasuryAccount, job.asset, workerAmount, feeLeg, job.protocolFeeBps
        );
    }

    function _settle(JobEscrow storage job, bytes32 settlementId, address recipient, uint256 amount) internal {
        accounts.settleReservedTo(settlementId, job.poster, job.asset, recipient, amount);
    }

    /// @dev The fee follows the paid part of the reward; the last payout takes the rest of the snapshot.
    function _takeFeeLeg(JobEscrow storage job) private returns (uint256 leg) {
        uint256 target = job.released == job.reward ? job.protocolFee : job.released * job.protocolFeeBps / BPS;
        uint256 charged = job.protocolFeeReleased;
        if (target > job.protocolFee) target = job.protocolFee;
        if (target <= charged) return 0;
        leg = target - charged;
        job.protocolFeeReleased = target;
    }

    /// @dev Refunds what was not spent, always in this order; zero parts are skipped.
    function _refundPoster(JobEscrow storage job) internal returns (uint256 refunded) {
        refunded = _refund(job, job.reward - job.released);
        refunded += _refund(job, job.protocolFee - job.protocolFeeReleased);
        refunded += _refund(job, job.opsReserve);
        refunded += _refund(job, job.contingencyReserve);
    }

    function _refund(JobEscrow storage job, uint256 amount) private returns (uint256) {
        if (amount != 0) accounts.refundReserved(job.poster, job.asset, amount);
        return amount;
    }

    /// @dev Forgets the bond of a claim and returns it, for the caller to release or to slash.
    function _takeBond(JobEscrow storage job) private returns (uint256 stake, uint256 fee) {
        stake = job.claimStake;
        fee = job.claimFee;
        job.claimStake = 0;
        job.claimStakeBps = 0;
        job.claimFee = 0;
        job.claimFeeBps = 0;
        job.claimEconomicsWaived = false;
        job.rejectingVerifier = address(0);
    }

    function _releaseBond(JobEscrow storage job) internal {
        (uint256 stake, uint256 fee) = _takeBond(job);
        if (stake + fee != 0) accounts.releaseJobStake(job.worker, job.asset, stake + fee);
    }

    function _slashBond(JobEscrow storage job, address feeRecipient) internal {
        (uint256 stake, uint256 fee) = _takeBond(job);
        if (stake != 0) accounts.slashJobStake(job.worker, job.asset, stake, job.poster);
        if (fee != 0) accounts.slashClaimFee(job.worker, job.asset, fee, feeRecipient);
    }
}
