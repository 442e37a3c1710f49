// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {EscrowBase} from "./EscrowBase.sol";

/// @notice Rejected -> Disputed -> Closed, and Rejected -> Closed when nobody disputes.
abstract contract EscrowDisputes is EscrowBase {
    modifier onlyParticipant(bytes32 jobId) {
        _requireParticipant(_jobs[jobId], msg.sender);
        _;
    }

    /// @notice Opens a dispute as the poster or the worker of a rejected job.
    function openDispute(bytes32 jobId) external whenNotPaused onlyParticipant(jobId) {
        _openDispute(jobId, msg.sender);
    }

    /// @notice Opens a dispute for the poster or the worker.
    function openDisputeFor(bytes32 jobId, address participant) external whenNotPaused onlyOperator {
        _requireParticipant(_jobs[jobId], participant);
        _openDispute(jobId, participant);
    }

    /// @notice Makes a rejection final after the dispute window.
    function finalizeRejectedJob(bytes32 jobId) external whenNotPaused nonReentrant {
        JobEscrow storage job = _rejectedJob(jobId);
        require(block.timestamp > job.rejectedAt + DISPUTE_WINDOW, "DISPUTE_WINDOW_ACTIVE");
        _close(job);
        _slashBond(job, job.rejectingVerifier);
        reputation.slashReputation(
            job.worker, policy.rejectionSkillPenalty(), policy.rejectionReliabilityPenalty(), 0, REASON_REJECTED
        );
        _refundPoster(job);
        emit JobClosed(jobId, job.worker, job.released);
    }

    /// @notice Decides a dispute: any payout returns the whole bond, payout 0 upholds the rejection.
    function resolveDispute(bytes32 jobId, uint256 workerPayout, bytes32 reasonCode, string calldata metadataURI)
        external
        whenNotPaused
        nonReentrant
        onlyArbitrator
    {
        JobEscrow storage job = _jobs[jobId];
        _requireState(job.state == JobState.Disputed);
        require(workerPayout <= job.reward - job.released, "EXCESS_PAYOUT");
        _close(job);
        if (workerPayout != 0) {
            _payDisputed(jobId, job, "DISPUTE", workerPayout);
            _releaseBond(job);
            _refundPoster(job);
            reputation.mintBadge(job.worker, job.category, 1, metadataURI);
        } else {
            _slashBond(job, job.rejectingVerifier);
            _slashLoser(job);
            emit JobRejected(jobId, reasonCode);
            _refundPoster(job);
        }
        emit DisputeResolved(jobId, msg.sender, workerPayout, reasonCode, metadataURI);
        emit JobClosed(jobId, job.worker, job.released);
    }

    /// @notice Ends a dispute that no arbitrator decided in time: half of the open reward, the bond is slashed.
    function autoResolveOnTimeout(bytes32 jobId) external whenNotPaused nonReentrant {
        JobEscrow storage job = _jobs[jobId];
        _requireState(job.state == JobState.Disputed);
        require(job.disputedAt != 0, "NO_DISPUTE_TIMESTAMP");
        require(block.timestamp >= job.disputedAt + ARBITRATOR_SLA, "ARBITRATOR_SLA_ACTIVE");
        _close(job);
        uint256 workerPayout = (job.reward - job.released) / 2;
        if (workerPayout != 0) _payDisputed(jobId, job, REASON_ARBITRATOR_TIMEOUT, workerPayout);
        _slashBond(job, address(0));
        _refundPoster(job);
        emit DisputeResolved(jobId, msg.sender, workerPayout, REASON_ARBITRATOR_TIMEOUT, "");
        emit AutoResolvedOnTimeout(jobId, msg.sender, workerPayout, REASON_ARBITRATOR_TIMEOUT);
        emit JobClosed(jobId, job.worker, job.released);
    }

    function _openDispute(bytes32 jobId, address opener) private {
        JobEscrow storage job = _rejectedJob(jobId);
        require(block.timestamp <= job.rejectedAt + DISPUTE_WINDOW, "DISPUTE_WINDOW_CLOSED");
        job.state = JobState.Disputed;
        job.disputedAt = block.timestamp;
        emit DisputeOpened(jobId, opener, block.timestamp);
    }

    function _rejectedJob(bytes32 jobId) private view returns (JobEscrow storage job) {
        job = _jobs[jobId];
        _requireState(job.state == JobState.Rejected);
        require(job.rejectedAt != 0, "NO_REJECTION_TIMESTAMP");
    }

    function _close(JobEscrow storage job) private {
        job.state = JobState.Closed;
        job.claimExpiry = 0;
    }

    function _payDisputed(bytes32 jobId, JobEscrow storage job, bytes32 leg, uint256 workerPayout) private {
        uint256 before = job.released;
        job.released = before + workerPayout;
        _payWorker(jobId, job, keccak256(abi.encode(jobId, leg, before, workerPayout)), workerPayout);
    }

    function _slashLoser(JobEscrow storage job) private {
        reputation.slashReputation(
            job.worker, policy.disputeLossSkillPenalty(), policy.disputeLossReliabilityPenalty(), 0, REASON_DISPUTE_LOST
        );
    }

    function _requireParticipant(JobEscrow storage job, address participant) private view {
        _requireRole(participant == job.poster || participant == job.worker);
    }
}
