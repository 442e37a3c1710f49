// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {EscrowBase} from "./EscrowBase.sol";

/// @notice The owner's fee schedule and the previews of fees, retention and claim economics.
abstract contract EscrowFees is EscrowBase {
    uint16 public constant MAX_PROTOCOL_FEE_BPS = 1_000;
    uint256 public constant MAX_RETENTION_FLAT_RAW = 500_000;
    uint16 public constant MAX_RETENTION_CAP_BPS = 2_500;
    uint256 public constant MAX_POSTER_FEE_FLOOR_RAW = 500_000;

    event FeeScheduleChanged(
        uint256 previousRetentionFlatRaw,
        uint16 previousRetentionCapBps,
        uint16 previousPosterFeeBps,
        uint256 previousPosterFeeFloorRaw,
        uint256 newRetentionFlatRaw,
        uint16 newRetentionCapBps,
        uint16 newPosterFeeBps,
        uint256 newPosterFeeFloorRaw
    );
    event TreasuryAccountUpdated(address indexed previousTreasuryAccount, address indexed newTreasuryAccount);

    error InvalidTreasuryAccount();
    error RetentionFlatTooHigh();
    error RetentionCapTooHigh();
    error ProtocolFeeTooHigh();
    error PosterFeeFloorTooHigh();

    uint256 public retentionFlatRaw;
    uint16 public retentionCapBps;
    uint16 public posterFeeBps;
    uint256 public posterFeeFloorRaw;

    /// @notice Sets gas retention and poster fee of future claims and jobs.
    function setFeeSchedule(
        uint256 newRetentionFlatRaw,
        uint16 newRetentionCapBps,
        uint16 newPosterFeeBps,
        uint256 newPosterFeeFloorRaw
    ) external onlyPolicyOwner {
        if (newRetentionFlatRaw > MAX_RETENTION_FLAT_RAW) revert RetentionFlatTooHigh();
        if (newRetentionCapBps > MAX_RETENTION_CAP_BPS) revert RetentionCapTooHigh();
        if (newPosterFeeBps > MAX_PROTOCOL_FEE_BPS) revert ProtocolFeeTooHigh();
        if (newPosterFeeFloorRaw > MAX_POSTER_FEE_FLOOR_RAW) revert PosterFeeFloorTooHigh();
        emit FeeScheduleChanged(
            retentionFlatRaw,
            retentionCapBps,
            posterFeeBps,
            posterFeeFloorRaw,
            newRetentionFlatRaw,
            newRetentionCapBps,
            newPosterFeeBps,
            newPosterFeeFloorRaw
        );
        retentionFlatRaw = newRetentionFlatRaw;
        retentionCapBps = newRetentionCapBps;
        posterFeeBps = newPosterFeeBps;
        posterFeeFloorRaw = newPosterFeeFloorRaw;
    }

    /// @notice Names the account that receives fees and retained gas.
    function setTreasuryAccount(address newTreasuryAccount) external onlyPolicyOwner {
        if (newTreasuryAccount == address(0)) revert InvalidTreasuryAccount();
        emit TreasuryAccountUpdated(treasuryAccount, newTreasuryAccount);
        treasuryAccount = newTreasuryAccount;
    }

    /// @notice The fee a poster would reserve for a reward today.
    function previewPosterFee(uint256 reward) public view returns (uint256) {
        uint256 fee = reward * posterFeeBps / BPS;
        return fee < posterFeeFloorRaw ? posterFeeFloorRaw : fee;
    }

    /// @notice Older name of previewPosterFee.
    function previewProtocolFee(uint256 reward) external view returns (uint256) {
        return previewPosterFee(reward);
    }

    /// @notice Older name of posterFeeBps.
    function protocolFeeBps() external view returns (uint16) {
        return posterFeeBps;
    }

    /// @notice What a claim made today would keep back from its approved reward.
    function previewGasRetention(uint256 reward, bool brokered, bool waived) external view returns (uint256) {
        return _retention(reward, brokered, waived, retentionFlatRaw, retentionCapBps);
    }

    /// @notice The bond that a worker would lock for a job now.
    function previewClaimEconomics(address worker, bytes32 jobId)
        public
        view
        returns (
            uint256 claimStake,
            uint16 claimStakeBps,
            uint256 claimFee,
            uint16 claimFeeBps,
            bool waived,
            uint256 claimNumber
        )
    {
        JobEscrow storage job = _jobs[jobId];
        if (job.state == JobState.None) revert UnknownJob();
        claimNumber = workerClaimCount[worker] + 1;
        waived = onboardingWaiverEligibleJobs[jobId] && claimNumber <= policy.onboardingWaiverClaimCount();
        if (waived) return (0, 0, 0, 0, true, claimNumber);
        claimStakeBps = policy.defaultClaimStakeBps();
        claimFeeBps = policy.claimFeeBps();
        claimStake = job.reward * claimStakeBps / BPS;
        claimFee = job.reward * claimFeeBps / BPS;
        uint256 floor = policy.minClaimFeeByAsset(job.asset);
        if (claimFee < floor) claimFee = floor;
    }

    /// @notice A successful worker gets the claim fee back.
    function retainsClaimFeeOnSuccess() external pure returns (bool) {
        return false;
    }

    /// @notice Tells this generation from older ones.
    function supportsGasRetention() external pure returns (bool) {
        return true;
    }

    function _retention(uint256 reward, bool brokered, bool waived, uint256 flatRaw, uint16 capBps)
        internal
        pure
        returns (uint256)
    {
        if (!brokered || waived) return 0;
        uint256 cap = reward * capBps / BPS;
        return flatRaw < cap ? flatRaw : cap;
    }
}
