// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {EscrowFees} from "./EscrowFees.sol";

/// @notice Open -> Claimed -> Submitted, claim time-out, cancellation.
abstract contract EscrowClaims is EscrowFees {
    /// @notice Claims an open job for the caller.
    function claimJob(bytes32 jobId) external whenNotPaused nonReentrant {
        _claim(jobId, msg.sender, false);
    }

    /// @notice Claims an open job for a worker; the broker pays the gas and the approval retains a part for it.
    function claimJobFor(bytes32 jobId, address worker) external whenNotPaused nonReentrant onlyOperator {
        _requireRole(worker != address(0));
        _claim(jobId, worker, true);
    }

    /// @notice Submits the evidence hash of the caller's work.
    function submitWork(bytes32 jobId, bytes32 evidenceHash) external whenNotPaused {
        _submit(jobId, msg.sender, evidenceHash);
    }

    /// @notice Submits the evidence hash of a worker.
    function submitWorkFor(bytes32 jobId, address worker, bytes32 evidenceHash) external whenNotPaused onlyOperator {
        _submit(jobId, worker, evidenceHash);
    }

    /// @notice Reopens a job whose claim ran out; the bond is slashed and the worker's waiver slot given back.
    function handleClaimTimeout(bytes32 jobId) external whenNotPaused nonReentrant {
        JobEscrow storage job = _jobs[jobId];
        _requireState(job.state == JobState.Claimed);
        require(block.timestamp > job.claimExpiry, "NOT_EXPIRED");
        address worker = job.worker;
        if (workerClaimCount[worker] != 0) workerClaimCount[worker]--;
        job.state = JobState.Open;
        job.claimExpiry = 0;
        delete brokeredClaims[jobId];
        delete retentionFlatRawAtClaim[jobId];
        delete retentionCapBpsAtClaim[jobId];
        _slashBond(job, address(0));
        job.worker = address(0);
        emit JobReopened(jobId);
    }

    /// @notice Cancels the caller's open job one hour after its creation or later.
    /// @dev `refundedRaw` is the sum that really moved; the public deployments show the original total also
    ///      for a milestone job that was partly paid before.
    function cancelOpenJob(bytes32 jobId) external whenNotPaused nonReentrant {
        JobEscrow storage job = _openJob(jobId);
        _requireRole(msg.sender == job.poster);
        require(block.timestamp >= createdAt[jobId] + MIN_OPEN_FOR_CANCEL, "OPEN_FLOOR_ACTIVE");
        job.state = JobState.Cancelled;
        emit JobCancelled(jobId, job.poster, _refundPoster(job));
    }

    function _claim(bytes32 jobId, address worker, bool brokered) private {
        _requireRole(worker != address(0));
        JobEscrow storage job = _openJob(jobId);
        uint256 claimNumber = _snapshotEconomics(job, jobId, worker);
        workerClaimCount[worker]++;
        job.worker = worker;
        job.state = JobState.Claimed;
        job.claimExpiry = block.timestamp + claimTtls[jobId];
        brokeredClaims[jobId] = brokered;
        retentionFlatRawAtClaim[jobId] = retentionFlatRaw;
        retentionCapBpsAtClaim[jobId] = retentionCapBps;
        uint256 bond = job.claimStake + job.claimFee;
        if (bond != 0) accounts.lockJobStake(worker, job.asset, bond);
        emit JobClaimed(jobId, worker, job.claimExpiry, job.claimStake);
        emit ClaimRetentionSnapshot(
            jobId, worker, brokered, job.claimEconomicsWaived, retentionFlatRaw, retentionCapBps
        );
        emit ClaimEconomicsLocked(
            jobId, worker, job.claimStake, job.claimFee, job.claimEconomicsWaived, claimNumber
        );
    }

    function _snapshotEconomics(JobEscrow storage job, bytes32 jobId, address worker)
        private
        returns (uint256 claimNumber)
    {
        (
            job.claimStake,
            job.claimStakeBps,
            job.claimFee,
            job.claimFeeBps,
            job.claimEconomicsWaived,
            claimNumber
        ) = previewClaimEconomics(worker, jobId);
    }

    function _submit(bytes32 jobId, address worker, bytes32 evidenceHash) private {
        JobEscrow storage job = _jobs[jobId];
        _requireState(job.state == JobState.Claimed);
        _requireRole(worker == job.worker);
        _requireState(block.timestamp <= job.claimExpiry);
        job.state = JobState.Submitted;
        latestEvidence[jobId] = evidenceHash;
        emit WorkSubmitted(jobId, worker, evidenceHash);
        emit Submitted(jobId, worker, evidenceHash);
    }
}
