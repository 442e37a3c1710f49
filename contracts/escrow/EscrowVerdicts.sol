// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {EscrowFees} from "./EscrowFees.sol";

/// @notice Submitted -> Closed, Rejected or (next milestone) Claimed: what a verifier decides.
abstract contract EscrowVerdicts is EscrowFees {
    /// @notice Approves or rejects the submission of a single-payout job.
    function resolveSinglePayout(
        bytes32 jobId,
        bool approved,
        bytes32 reasonCode,
        string calldata metadataURI,
        bytes32 reasoningHash
    ) external whenNotPaused nonReentrant onlyVerifier {
        JobEscrow storage job = _jobs[jobId];
        _requireState(job.state == JobState.Submitted && job.payoutMode == PayoutMode.Single);
        emit Verified(jobId, msg.sender, approved, reasonCode, reasoningHash);
        if (!approved) return _reject(jobId, job, reasonCode);
        uint256 reward = job.reward;
        bytes32 settlementId = _markSettled(jobId, 0, reward);
        uint256 retained = _retention(
            reward,
            brokeredClaims[jobId],
            job.claimEconomicsWaived,
            retentionFlatRawAtClaim[jobId],
            retentionCapBpsAtClaim[jobId]
        );
        job.state = JobState.Closed;
        job.released = reward;
        _releaseBond(job);
        _payWorker(jobId, job, settlementId, reward - retained);
        if (retained != 0) {
            _settle(job, keccak256(abi.encode(settlementId, bytes32("GAS_RETENTION"))), treasuryAccount, retained);
            emit GasRetentionApplied(jobId, job.worker, retained, reward);
        }
        _celebrate(jobId, job, 1, metadataURI);
    }

    /// @notice Approves or rejects the submission of one milestone.
    /// @dev A rejection concerns the whole job and does not read the index beyond the released mark.
    function resolveMilestone(
        bytes32 jobId,
        uint256 milestoneIndex,
        bool approved,
        bytes32 reasonCode,
        string calldata metadataURI,
        bytes32 reasoningHash
    ) external whenNotPaused nonReentrant onlyVerifier {
        JobEscrow storage job = _jobs[jobId];
        _requireState(job.state == JobState.Submitted && job.payoutMode == PayoutMode.Milestone);
        _requireState(!milestoneReleased[jobId][milestoneIndex]);
        emit Verified(jobId, msg.sender, approved, reasonCode, reasoningHash);
        if (!approved) return _reject(jobId, job, reasonCode);
        uint256 amount = milestoneAmounts[jobId][milestoneIndex];
        bytes32 settlementId = _markSettled(jobId, milestoneIndex, amount);
        milestoneReleased[jobId][milestoneIndex] = true;
        job.released += amount;
        bool last = job.released == job.reward;
        job.state = last ? JobState.Closed : JobState.Claimed;
        _payWorker(jobId, job, settlementId, amount);
        if (!last) {
            job.claimExpiry = block.timestamp + claimTtls[jobId];
            return _rescopeStake(job);
        }
        _releaseBond(job);
        _celebrate(jobId, job, 2, metadataURI);
    }

    function _reject(bytes32 jobId, JobEscrow storage job, bytes32 reasonCode) private {
        job.state = JobState.Rejected;
        job.rejectedAt = block.timestamp;
        job.disputedAt = 0;
        job.rejectingVerifier = msg.sender;
        emit JobRejected(jobId, reasonCode);
    }

    /// @dev Worker leg of an approval: one id per (job, index, amount), paid once.
    function _markSettled(bytes32 jobId, uint256 index, uint256 amount) private returns (bytes32 settlementId) {
        settlementId = keccak256(abi.encode(jobId, index, amount));
        require(!settlementExecuted[jobId][settlementId], "SETTLED");
        settlementExecuted[jobId][settlementId] = true;
    }

    /// @dev The stake shrinks with the unpaid reward; the claim fee stays until the end.
    function _rescopeStake(JobEscrow storage job) private {
        uint256 previous = job.claimStake;
        uint256 current = (job.reward - job.released) * job.claimStakeBps / BPS;
        if (previous <= current) return;
        job.claimStake = current;
        accounts.releaseJobStake(job.worker, job.asset, previous - current);
    }

    /// @dev Overwrites the score: (100, 100, reward) at level 1, (200, 150, reward) at level 2.
    function _celebrate(bytes32 jobId, JobEscrow storage job, uint256 level, string calldata metadataURI) private {
        _refundPoster(job);
        reputation.mintBadge(job.worker, job.category, level, metadataURI);
        reputation.updateReputation(job.worker, level * 100, level * 50 + 50, job.reward);
        emit JobClosed(jobId, job.worker, job.reward);
    }
}
