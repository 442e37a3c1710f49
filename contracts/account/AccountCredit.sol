// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {AccountBase} from "./AccountBase.sol";

/// @notice Collateral and debt. Borrowed funds stay inside: withdrawals are gated by the debt.
abstract contract AccountCredit is AccountBase {
    uint256 private constant BPS = 10_000;

    event CollateralLocked(address indexed account, address indexed asset, uint256 amount);
    event CollateralUnlocked(address indexed account, address indexed asset, uint256 amount);
    event Borrowed(address indexed account, address indexed asset, uint256 amount);
    event Repaid(address indexed account, address indexed asset, uint256 amount);

    error BorrowLimitExceeded();
    error InsolventAccount();

    /// @notice Moves spendable funds of the caller into collateral.
    function lockCollateral(address asset, uint256 amount) external whenNotPaused onlySupportedAsset(asset) {
        _spend(msg.sender, asset, amount).collateralLocked += amount;
        emit CollateralLocked(msg.sender, asset, amount);
    }

    /// @notice Frees collateral that the debt of the caller does not need.
    function unlockCollateral(address asset, uint256 amount) external whenNotPaused onlySupportedAsset(asset) {
        Position storage position = positions[msg.sender][asset];
        require(position.collateralLocked >= amount, "INSUFFICIENT_COLLATERAL");
        uint256 rest = position.collateralLocked - amount;
        _requireHealthy(rest, position.debtOutstanding);
        position.collateralLocked = rest;
        position.liquid += amount;
        emit CollateralUnlocked(msg.sender, asset, amount);
    }

    /// @notice Raises the debt and the liquid funds of the caller alike; a ledger entry only.
    function borrow(address asset, uint256 amount) external whenNotPaused onlySupportedAsset(asset) {
        Position storage position = positions[msg.sender][asset];
        uint256 debt = position.debtOutstanding + amount;
        if (debt > policy.perAccountBorrowCap()) revert BorrowLimitExceeded();
        _requireHealthy(position.collateralLocked, debt);
        position.debtOutstanding = debt;
        position.liquid += amount;
        emit Borrowed(msg.sender, asset, amount);
    }

    /// @notice Repays debt with tokens of the caller's wallet.
    function repay(address asset, uint256 amount) external nonReentrant whenNotPaused onlySupportedAsset(asset) {
        Position storage position = positions[msg.sender][asset];
        require(position.debtOutstanding >= amount, "OVERPAY");
        position.debtOutstanding -= amount;
        _pull(asset, msg.sender, amount);
        emit Repaid(msg.sender, asset, amount);
    }

    /// @notice How much more an account may borrow.
    function getBorrowCapacity(address account, address asset) external view returns (uint256) {
        Position storage position = positions[account][asset];
        uint256 limit = position.collateralLocked * BPS / policy.minimumCollateralRatioBps();
        uint256 cap = policy.perAccountBorrowCap();
        if (cap < limit) limit = cap;
        uint256 debt = position.debtOutstanding;
        return limit > debt ? limit - debt : 0;
    }

    function _requireHealthy(uint256 collateral, uint256 debt) private view {
        if (collateral * BPS < debt * policy.minimumCollateralRatioBps()) revert InsolventAccount();
    }
}
